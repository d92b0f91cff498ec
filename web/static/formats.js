// The form for a tournament shows what applies to the chosen format. Without a script it shows the fields of all.
"use strict";

(() => {
  const format = document.getElementById("format");
  if (!format) return;

  // What is hidden keeps its value unless it would keep the form from being sent, unseen.
  function reset(field) {
    if (field.options) ([...field.options].find((option) => option.defaultSelected) || field.options[0]).selected = true;
    else if (!field.checkValidity()) field.value = field.defaultValue;
  }

  function apply() {
    for (const block of document.querySelectorAll("[data-formats]")) {
      block.hidden = !block.dataset.formats.split(",").includes(format.value) && !block.querySelector(".error");
      if (block.hidden) block.querySelectorAll("input, select").forEach(reset);
    }
  }

  format.addEventListener("change", apply);
  apply();
})();
