// The rules of a game: a search within the page, the heading that is being read, and the parser's answer without a new page.
"use strict";

(() => {
  const { all, plural } = window.sealed;
  const LEAST = 2;  // characters to search for
  const article = () => document.querySelector(".rules");
  const status = () => document.querySelector("[data-search] [role=status]");

  // --- the search: marks in the text, and how many there are under each heading of the contents

  let at = -1;

  function unmark() {
    for (const mark of all("mark", article())) mark.replaceWith(...mark.childNodes);
    article().normalize();
    at = -1;
  }

  function textsOf(root) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT, (node) => (node.parentElement.closest("svg") ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT));
    const found = [];
    while (walker.nextNode()) found.push(walker.currentNode);
    return found;
  }

  function mark(node, words) {
    for (let place = node.data.toLowerCase().lastIndexOf(words); place >= 0; place = place ? node.data.toLowerCase().lastIndexOf(words, place - 1) : -1) {
      const rest = node.splitText(place);
      rest.splitText(words.length);
      const made = document.createElement("mark");
      rest.replaceWith(made);
      made.append(rest);
    }
  }

  function search(words) {
    unmark();
    const wanted = words.trim().toLowerCase();
    if (wanted.length >= LEAST) for (const node of textsOf(article())) mark(node, wanted);
    const marks = all("mark", article());
    count(wanted.length >= LEAST ? marks : null);
    status().textContent = wanted.length < LEAST ? "" : !marks.length ? "Nothing found."
      : plural(marks.length, { one: "{n} place; Enter leads there.", other: "{n} places; Enter leads to the next." });
  }

  function count(marks) {
    const links = all(".book-contents li a").filter((link) => document.getElementById(link.hash.slice(1) && decodeURIComponent(link.hash.slice(1))));
    for (const old of all(".book-contents .found")) old.remove();
    links.forEach((link, number) => {
      const from = heading(link), to = links[number + 1] && heading(links[number + 1]);
      const here = (marks || []).filter((each) => follows(from, each) && !(to && follows(to, each))).length;
      link.parentElement.classList.toggle("none", marks !== null && here === 0);
      if (here) link.prepend(Object.assign(document.createElement("span"), { className: "found", textContent: here }));
    });
  }

  const heading = (link) => document.getElementById(decodeURIComponent(link.hash.slice(1)));
  const follows = (first, second) => first.contains(second) || Boolean(first.compareDocumentPosition(second) & Node.DOCUMENT_POSITION_FOLLOWING);

  function goOn() {
    const marks = all("mark", article());
    marks[at]?.classList.remove("here");
    at = marks.length ? (at + 1) % marks.length : -1;
    marks[at]?.classList.add("here");
    marks[at]?.scrollIntoView({ block: "center" });
  }

  // --- the heading that is being read

  function follow() {
    const links = all(".book-contents li a");
    const above = links.filter((link) => heading(link)?.getBoundingClientRect().top < 120).pop();
    for (const link of links) link.toggleAttribute("aria-current", link === above);
    above?.setAttribute("aria-current", "location");
  }

  // --- trying orders

  async function tryOrders(form) {
    const address = new URL(form.action);
    address.search = new URLSearchParams([...new FormData(form), ["part", "1"]]);
    const place = form.querySelector(".spelled");
    try {
      const answer = await fetch(address, { headers: { Accept: "text/html" } });
      if (answer.status === 200 || answer.status === 400) place.innerHTML = await answer.text();
      else place.textContent = answer.status === 429 ? "That was often; try again in a minute." : "The site could not answer; try again in a moment.";
    } catch {
      place.textContent = "The site could not be reached; try again in a moment.";
    }
    form.querySelector("[role=status]").textContent = place.querySelector("[data-spelled]")?.dataset.spelled || place.textContent.trim();
  }

  function settle() {
    const box = document.querySelector("[data-search]");
    if (!box) return;
    box.hidden = false;
    const contents = box.closest("details");
    if (window.matchMedia("(max-width: 899px)").matches) contents.open = false;
    contents.dataset.folds = "";
    follow();
  }

  document.addEventListener("DOMContentLoaded", settle);
  document.addEventListener("input", ({ target }) => { if (target.closest("[data-search]")) search(target.value); });
  document.addEventListener("submit", (event) => {
    const searched = event.target.matches("[data-search]"), spelled = event.target.matches("[data-spelling]");
    if (!searched && !spelled) return;
    event.preventDefault();
    if (searched) goOn();
    else tryOrders(event.target);
  });
  document.addEventListener("scroll", () => requestAnimationFrame(follow), { passive: true });
})();
