// Audits pages with Lighthouse in a browser that listens already.
// Arguments: Lighthouse's entry file, the browser's port, and a JSON list of {url, cookie, categories}.
// Prints one line of JSON for each page: its scores and the audits that lost points.
import { pathToFileURL } from "node:url";

const TRIES = 4; // a busy machine may lose the trace of a page load: Lighthouse then asks to be run again
const [entry, port, pages] = process.argv.slice(2);
const { default: lighthouse } = await import(pathToFileURL(entry).href);

async function audit(url, flags) {
  for (let tries = 1; ; tries += 1) {
    try {
      const { lhr } = await lighthouse(url, flags);
      if (!lhr.runtimeError || tries === TRIES) return lhr;
    } catch (fault) {
      if (tries === TRIES) throw fault;
    }
  }
}

for (const { url, cookie, categories } of JSON.parse(pages)) {
  const extraHeaders = cookie ? { Cookie: cookie } : undefined;
  const short = { networkQuietThresholdMs: 1000 }; // these pages load nothing late
  const flags = { port: Number(port), logLevel: "error", onlyCategories: categories, extraHeaders, disableFullPageScreenshot: true, ...short };
  const lhr = await audit(url, flags);
  const scores = {}, lost = [];
  for (const [name, category] of Object.entries(lhr.categories)) {
    scores[name] = category.score === null ? null : Math.round(category.score * 100);
    if (name === "performance") continue;
    for (const { id, weight } of category.auditRefs) {
      const { score, title, details } = lhr.audits[id];
      if (weight > 0 && score !== null && score < 1) lost.push(`${id}: ${title} ${JSON.stringify(details?.items ?? []).slice(0, 600)}`);
    }
  }
  console.log(JSON.stringify({ url: lhr.finalDisplayedUrl, scores, lost, fault: lhr.runtimeError?.message ?? "" }));
}
