// Checks a match's bundle (docs/sealing.md) with WebCrypto, and tells in sentences what holds. A module that the button loads.

const { fill, plural } = window.sealed;

// --- bytes: canonical JSON, tagged hashes, signatures, trees

class Unfit extends Error {}

const utf8 = (text) => new TextEncoder().encode(text);
const hex = (bytes) => [...bytes].map((each) => each.toString(16).padStart(2, "0")).join("");
const isHash = (value) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);

function raw(text) {
  if (typeof text !== "string" || !/^([0-9a-f]{2})*$/.test(text)) throw new Unfit("no hex");
  return Uint8Array.from(text.match(/../g) ?? [], (each) => parseInt(each, 16));
}

export function canonical(value) {
  if (value === null || typeof value === "boolean") return String(value);
  if (Number.isSafeInteger(value)) return String(value);
  if (typeof value === "string") {
    if (!value.isWellFormed?.() && /\p{Surrogate}/u.test(value)) throw new Unfit("half a character");
    if (value.normalize("NFC") !== value) throw new Unfit("not NFC");
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object") throw new Unfit("no canonical form");
  return `{${Object.keys(value).sort().map((name) => `${canonical(name)}:${canonical(value[name])}`).join(",")}}`;
}

const same = (one, other) => canonical(one) === canonical(other);
const sha256 = async (...parts) => {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  parts.reduce((at, part) => (whole.set(part, at), at + part.length), 0);
  return new Uint8Array(await crypto.subtle.digest("SHA-256", whole));
};

export async function H(tag, value) {
  return hex(await sha256(utf8(`sealed/1/${tag}\n`), value instanceof Uint8Array ? value : utf8(canonical(value))));
}

async function tree(hashes) {
  if (!hashes.length) return sha256();
  if (hashes.length === 1) return hashes[0];
  const split = 2 ** Math.ceil(Math.log2(hashes.length) - 1);
  return sha256(Uint8Array.of(1), await tree(hashes.slice(0, split)), await tree(hashes.slice(split)));
}

const root = async (leaves) => hex(await tree(await Promise.all(leaves.map((leaf) => sha256(Uint8Array.of(0), utf8(canonical(leaf)))))));

async function walk(element, times) {
  for (let done = 0; done < times; done++) element = await H("seed", raw(element));
  return element;
}

async function hasEd25519() {
  try {
    return Boolean(await crypto.subtle.generateKey("Ed25519", false, ["sign", "verify"]));
  } catch {
    return false;
  }
}

async function isSigned(key, digest, signature) {
  try {
    const known = await crypto.subtle.importKey("raw", raw(key), "Ed25519", false, ["verify"]);
    return await crypto.subtle.verify("Ed25519", known, raw(signature), utf8(`sealed/1/sig\n${digest}`));
  } catch (error) {
    if (error instanceof Unfit || error instanceof DOMException) return false;  // no key, no signature
    throw error;
  }
}

// --- the check

const CHAIN = 4096, ZEROS = "0".repeat(64);
const BETWEEN = new Set(["tenure", "deadline", "master", "key", "anchor", "restored", "tampering"]);
const without = (document, ...names) => Object.fromEntries(Object.entries(document).filter(([name]) => !names.includes(name)));
const placeOf = ({ seat, phase, seq, part }) => canonical([seat, phase, seq, part]);

// What each rule needs to know of the log, read while its entries are walked through.
class Log {
  constructor(bundle) {
    Object.assign(this, { match: bundle.match, genesis: null, ended: false, audit: null, phase: null, head: null, element: null, formerAnchors: [] });
    this.seats = [];
    this.leaves = new Map();  // sealed ones, by place: { leaf, phase, opened }
    this.closed = new Map();  // the leaves of each closed phase, by seat
    this.states = new Map();  // hashes of positions that are not opened yet, by phase
    this.counted = new Map();  // orders that counted, by phase and seat
    this.hashes = new Set();
    this.numbers = { openings: 0, phases: 0, chance: 0, states: 0 };
  }
}

// Returns what is broken, what holds, and what was not checked, each as codes with values; `receipts` are the viewer's own.
export async function verify(bundle, receipts = []) {
  const told = { broken: [], held: [], unchecked: [] }, log = new Log(bundle ?? {});
  const rule = (holds, code, values = {}) => {
    if (!holds) told.broken.push({ code, phase: log.phase, ...values });
    return Boolean(holds);
  };
  try {
    await check(bundle, receipts, { told, log, rule });
  } catch (error) {
    console.warn(error);
    rule(false, "form");
  }
  return told;
}

async function check(bundle, receipts, on) {
  const { told, log, rule } = on;
  if (bundle.version !== 1 || typeof bundle.match !== "string" || !bundle.entries.length) throw new Unfit("no bundle");
  const signs = await hasEd25519(), documents = [...(bundle.former_keys ?? []), bundle.keys];
  for (const each of documents) rule(await H("keys", without(each, "fingerprint")) === each.fingerprint, "keys");
  const unsigned = await walkEntries(bundle, documents, signs, on);
  if (log.audit) await checkAudit(on);
  log.phase = null;
  if (log.ended) checkTranscript(bundle, on);
  const shared = await checkReceipts(bundle.receipts, documents, signs, on);
  const own = await checkOwn(receipts, bundle, documents, signs, on);
  if (told.broken.length) return;

  const { openings, phases, chance, states } = log.numbers;
  told.held.push({ code: "entries", n: bundle.entries.length });
  if (signs) told.held.push({ code: "signatures", n: bundle.entries.length - unsigned });
  if (phases) told.held.push({ code: "phases", n: phases });
  if (openings) told.held.push({ code: "openings", n: openings });
  if (chance) told.held.push({ code: "chance", n: chance });
  if (states) told.held.push({ code: "states", n: states });
  if (log.ended) told.held.push({ code: "ended" });
  if (shared) told.held.push({ code: "receipts", n: shared });
  if (own) told.held.push({ code: "own", n: own });

  const closed = [...log.leaves.values()].filter(({ opened }) => !opened).length;
  if (closed) told.unchecked.push({ code: "closed", n: closed });
  if (!signs) told.unchecked.push({ code: "no-ed25519" });
  if (unsigned && signs) told.unchecked.push({ code: "former", n: unsigned });
  if (!receipts.length) told.unchecked.push({ code: "no-receipts" });
  told.unchecked.push({ code: "times" }, { code: "letters" }, { code: "replay" });
}

// --- entries, one after the other

async function walkEntries({ entries, match }, documents, signs, { log, rule }) {
  const changes = entries.filter(({ type }) => type === "key").length;
  const signers = documents.slice(-1 - changes).map(({ signing }) => signing);
  while (signers.length <= changes) signers.unshift(null);  // keys that the file does not hold
  let prev = ZEROS, current = 0, unsigned = 0, last = "";
  const chain = { anchors: null, element: null };
  for (const [index, entry] of entries.entries()) {
    const { type, body } = entry, known = signers[current];
    if (body.phase !== undefined && type !== "anchor") log.phase = body.phase;
    const bound = { index: entry.index, prev: entry.prev, type, body };
    const digest = await H("entry", bound);
    if (!rule(entry.index === index && entry.prev === prev, "chain")) return unsigned;
    if (!rule(entry.hash === digest, "hash")) return unsigned;
    if (signs && known !== null && !rule(await isSigned(known, digest, entry.sig), "signature")) return unsigned;
    if (known === null) unsigned++;
    if (type === "key") {
      const agreed = await H("key", { match, index, keys: body.keys });
      if (signs) rule(await isSigned(body.keys.signing, agreed, body.signed), "signature");
      current++;
      rule(signers[current] === null || signers[current] === body.keys.signing, "keys");
    }
    if (!rule(follows(log, last, type, body), "order")) return unsigned;
    if (type === "anchor") {  // after a restore from a backup
      log.formerAnchors.push(chain.anchors);
      Object.assign(chain, { anchors: body.anchors, element: null });
      log.element = null;
    }
    if (type === "genesis") chain.anchors = body.anchors;
    await (READ[type] ?? (() => {}))(body, log, rule, chain);
    if (!BETWEEN.has(type)) last = type;
    log.hashes.add(entry.hash);
    log.head = prev = entry.hash;
  }
  log.anchors = chain.anchors;
  return unsigned;
}

// Whether an entry may stand there: genesis, then open, close and result of each phase without a gap, then audit and end.
function follows(log, last, type, body) {
  if (log.ended) return false;
  if (type === "genesis") return last === "" && !log.head && body.match === log.match;
  if (!log.genesis) return false;
  if (BETWEEN.has(type)) return last !== "audit";
  if (type === "open") return (last === "genesis" && body.phase === 0) || (last === "result" && body.phase === log.closed.size);
  if (type === "close") return last === "open" && body.phase === log.closed.size;
  if (type === "result") return last === "close" && body.phase === log.closed.size - 1;
  if (type === "audit") return last === "open" || last === "result";
  return type === "end" && last === "audit";
}

const READ = {
  genesis(body, log) { log.genesis = body; },

  open(body, log, rule) {
    if (body.phase === 0) log.seats = body.seats;
    else if (rule(isHash(body.state), "form")) log.states.set(body.phase, body.state);
    log.due = new Set(body.due);
  },

  async close(body, log, rule) {
    rule(await root(body.leaves) === body.root, "root");
    rule(same(body.leaves.map(({ seat }) => seat), body.phase ? log.seats : []), "seats");
    log.closed.set(body.phase, new Map(body.leaves.map((leaf) => [leaf.seat, leaf])));
    if (body.phase) log.numbers.phases++;
    for (const leaf of body.leaves) {
      rule(["sealed", "silent", "forced", "idle"].includes(leaf.kind), "form");
      rule((leaf.kind !== "silent" || log.due.has(leaf.seat)) && (leaf.kind !== "idle" || !log.due.has(leaf.seat)), "order", { seat: leaf.seat });
      if (leaf.kind !== "sealed") continue;
      rule(leaf.phase <= body.phase && !log.leaves.has(placeOf(leaf)), "twice", { seat: leaf.seat });
      log.leaves.set(placeOf(leaf), { leaf, phase: body.phase, opened: null });
    }
  },

  async result(body, log, rule, chain) {
    const known = chain.element === null ? await walk(body.public, body.phase + 1) : await H("seed", raw(body.public));
    rule(known === (chain.element ?? chain.anchors.public), "chance-broken");
    chain.element = body.public;
    log.element = body.public;
    log.numbers.chance++;
    for (const opening of body.openings) await open(opening, log, rule, body.phase);
    for (const { seat, orders } of body.orders) count(log, rule, body.phase, seat, orders);
    if (body.state) await openState({ phase: body.phase, ...body.state }, log, rule);
  },

  audit(body, log) { log.audit = body; },
  end(body, log) { log.ended = true; },
};

// Open one sealed leaf: its orders are the ones that the commitment was made of.
async function open(opening, log, rule, phase = null) {
  const known = log.leaves.get(placeOf(opening));
  const at = { phase: known?.phase ?? phase ?? log.phase, seat: String(opening.seat) };
  if (!rule(known && !known.opened && (phase === null || known.phase === phase), "unknown", at)) return;
  known.opened = opening;
  if (rule(await H("commit", { match: log.match, ...opening }) === known.leaf.commitment, "opening", at)) log.numbers.openings++;
}

function count(log, rule, phase, seat, orders) {
  const leaf = log.closed.get(phase)?.get(seat), key = canonical([phase, seat]);
  rule(leaf && !log.counted.has(key), "unknown", { phase, seat: String(seat) });
  if (leaf?.kind === "forced" && leaf.orders !== null) rule(leaf.orders === orders, "opening", { phase, seat });
  log.counted.set(key, orders);
}

async function openState({ phase, state, nonce }, log, rule) {
  const known = log.states.get(phase);
  if (rule(known && await H("state", { match: log.match, phase, state, nonce }) === known, "state", { phase })) log.numbers.states++;
  log.states.delete(phase);
}

// --- the end: everything is opened

async function checkAudit({ log, rule }) {
  const { openings, states, orders, silent, chains } = log.audit;
  for (const opening of openings) await open(opening, log, rule);
  for (const state of states) await openState(state, log, rule);
  for (const { phase, seat, orders: text } of orders) count(log, rule, phase, seat, text);
  for (const { leaf, phase, opened } of log.leaves.values()) rule(opened, "never", { phase, seat: leaf.seat });
  for (const phase of log.states.keys()) rule(false, "state", { phase });
  const named = new Map(silent.map((each) => [canonical([each.phase, each.seat]), each.nonce]));
  for (const [phase, leaves] of log.closed) {
    for (const leaf of leaves.values()) {
      if (leaf.kind !== "silent") continue;
      const nonce = named.get(canonical([phase, leaf.seat])) ?? null;
      rule(nonce !== null && await H("silent", { match: log.match, phase, seat: leaf.seat, nonce }) === leaf.blinded, "silent-seat", { phase, seat: leaf.seat });
    }
  }
  for (const { leaf, phase, opened } of log.leaves.values()) {
    const sealed = new Set(opened?.orders.split(/\n| OR /)), own = countedOf(log, phase, leaf.seat)?.split("\n") ?? [];
    rule(own.every((line) => sealed.has(line)), "opening", { phase, seat: leaf.seat });
  }
  const newest = log.closed.size - 1, former = log.audit.former_chains ?? [];
  rule(former.length === log.formerAnchors.length, "chance-broken", { phase: null });
  for (const [number, anchors] of log.formerAnchors.entries()) {
    for (const stream of ["public", "hidden"]) {
      rule(await walk(former[number]?.[stream] ?? ZEROS, CHAIN) === anchors[stream], "chance-broken", { phase: null });
    }
  }
  for (const stream of ["public", "hidden"]) rule(await walk(chains[stream], CHAIN) === log.anchors[stream], "chance-broken", { phase: null });
  if (log.element !== null && newest >= 0) rule(await walk(chains.public, CHAIN - 1 - newest) === log.element, "chance-broken", { phase: newest });
}

// The orders that counted in a phase; null where the log has not told them.
function countedOf(log, phase, seat) {
  const told = log.counted.get(canonical([phase, seat])), leaf = log.closed.get(phase)?.get(seat);
  return told ?? (leaf?.kind === "sealed" ? log.leaves.get(placeOf(leaf)).opened?.orders : null) ?? null;
}

function checkTranscript({ transcript }, { log, rule }) {
  rule(transcript.match === log.match && same(transcript.seats, log.seats), "transcript");
  const told = new Map();
  for (const { number, orders } of transcript.phases) for (const [seat, text] of Object.entries(orders)) told.set(canonical([number, seat]), text);
  for (const [phase, leaves] of log.closed) {
    for (const leaf of leaves.values()) {
      const key = canonical([phase, leaf.seat]);
      if (leaf.kind === "sealed") rule(told.get(key) === countedOf(log, phase, leaf.seat), "transcript", { phase, seat: leaf.seat });
      else rule(!told.has(key), "transcript", { phase, seat: leaf.seat });
      told.delete(key);
    }
  }
  rule(!told.size, "transcript");
}

// --- receipts: the service's signatures on what seats handed in

async function checkReceipt({ body, signature }, documents, signs, { log, rule }) {
  const at = { phase: body.phase, seat: String(body.seat) }, digest = await H("receipt", body);
  if (!signs) return rule(body.match === log.match, "receipt", at);
  for (const { signing } of documents) if (await isSigned(signing, digest, signature)) return rule(body.match === log.match, "receipt", at);
  return rule(false, "receipt", at);
}

async function checkReceipts(shared, documents, signs, on) {
  const { log, rule } = on, places = new Map();
  for (const each of shared) {
    await checkReceipt(each, documents, signs, on);
    for (const { part, commitment } of each.body.parts) places.set(placeOf({ ...each.body, part }), commitment);
  }
  if (log.ended) for (const [place, { leaf, phase }] of log.leaves) rule(places.get(place) === leaf.commitment, "no-receipt", { phase, seat: leaf.seat });
  return shared.length;
}

// The viewer's receipts: signed, and the newest accepted one of each closed phase is what counted.
async function checkOwn(receipts, bundle, documents, signs, on) {
  const { told, log, rule } = on, newest = new Map(), texts = new Map();
  for (const receipt of receipts) {
    const { receipt: body, signature, parts } = receipt;
    log.phase = body.phase;
    if (!await checkReceipt({ body, signature }, documents, signs, on)) continue;
    rule(!body.head || log.hashes.has(body.head), "head", { phase: body.phase, seat: body.seat });
    for (const { part, orders, ready, nonce } of parts ?? []) {
      if (part === 0) texts.set(body, orders.trim());
      const made = await H("commit", { match: log.match, phase: body.phase, seat: body.seat, seq: body.seq, part, orders, ready, nonce });
      rule(body.parts.some((each) => each.part === part && each.commitment === made), "receipt", { phase: body.phase, seat: body.seat });
    }
    const leaf = log.closed.get(body.phase)?.get(body.seat);
    if (leaf?.kind === "sealed" && leaf.phase === body.phase && leaf.seq === body.seq) {
      const own = body.parts.find(({ part }) => part === leaf.part);
      rule(own?.commitment === leaf.commitment && body.disposition !== "refused", "not-yours", { phase: body.phase, seat: body.seat });
    }
    const key = canonical([body.phase, body.seat]);
    const counts = body.disposition !== "refused" && body.parts.some(({ part }) => part === 0);
    if (counts && (newest.get(key)?.seq ?? 0) < body.seq) newest.set(key, body);
  }
  for (const body of newest.values()) {
    const leaf = log.closed.get(body.phase)?.get(body.seat), at = { phase: body.phase, seat: body.seat };
    if (!leaf || leaf.kind === "idle" || (bundle.transcript?.conceded ?? []).some(({ seat, after }) => seat === body.seat && after < body.phase)) continue;
    if (leaf.kind === "sealed") rule(leaf.phase === body.phase && leaf.seq >= body.seq, "older", at);
    else if (leaf.kind === "forced" || texts.get(body)) rule(false, "left-out", at);
    else if (texts.get(body) === undefined) told.unchecked.push({ code: "silent", ...at });
  }
  log.phase = null;
  return receipts.length;
}

// --- what the page tells

const spell = (words, { code, n, phase = null, ...values }) => {
  const { one, other, start } = words.querySelector(`[data-code="${code}"]`).dataset;
  const sentence = n === undefined ? fill(other, values) : plural(n, { one, other }, values);
  return phase === null || !start ? sentence : fill(start, { phase, sentence });
};

function list(title, items, kind) {
  if (!items.length) return [];
  const heading = document.createElement("h3"), made = document.createElement("ul");
  heading.textContent = title;
  made.className = `checked ${kind}`;
  for (const sentence of items) made.append(Object.assign(document.createElement("li"), { textContent: sentence }));
  return [heading, made];
}

const MOST_BROKEN = 8;

const readFiles = async (input) => Promise.all([...(input?.files ?? [])].map(async (file) => JSON.parse(await file.text())));

async function load(box) {
  const [file] = await readFiles(box.querySelector("[data-bundle]"));
  if (file) return file;
  if (!box.dataset.log) return null;
  const answer = await fetch(box.dataset.log, { headers: { Accept: "application/json" } });
  if (!answer.ok) throw new Error(answer.status);
  return answer.json();
}

// Check what the box names and tell it there.
export async function run(box) {
  const words = box.querySelector("template").content, result = box.querySelector("[data-result]"), said = box.querySelector("[role=status]");
  const say = (code, values) => { said.textContent = spell(words, { code, ...values }); };
  result.replaceChildren();
  said.classList.remove("wax", "moss");
  box.querySelector("[data-elsewhere]").hidden = Boolean(globalThis.crypto?.subtle);
  if (!globalThis.crypto?.subtle) return say("no-webcrypto");
  say("busy");
  let bundle, receipts;
  try {
    bundle = await load(box);
    receipts = (await readFiles(box.querySelector("[data-receipts]"))).flat();
  } catch (error) {
    console.warn(error);
    return say("unreadable");
  }
  if (bundle === null) return say("no-file");
  const { broken, held, unchecked } = await verify(bundle, receipts);
  const titles = Object.fromEntries(["broken", "held", "unchecked"].map((kind) => [kind, spell(words, { code: `title-${kind}` })]));
  const unique = [...new Set(broken.map((each) => spell(words, each)))];
  result.append(
    ...list(titles.broken, unique.slice(0, MOST_BROKEN), "broken"),
    ...list(titles.held, held.map((each) => spell(words, each)), "held"),
    ...list(titles.unchecked, unchecked.map((each) => spell(words, each)), "unchecked"),
  );
  said.classList.add(broken.length ? "wax" : "moss");
  say(broken.length ? "said-broken" : "said-held", { n: broken.length ? unique.length : undefined });
}
