// js-yaml (5 and 4) and yaml read texts.
// Asked: {name: text}. Answers for each reader its data by name, or why it refuses the text.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const [, , asked, packages] = process.argv;
const require = createRequire(`${packages}/`);
const five = require("js-yaml");
const four = require("js-yaml-4");
const yaml = require("yaml");

const readers = {
  "js-yaml 5": (text) => five.loadAll(text),
  "js-yaml 4": (text) => four.loadAll(text),
  yaml: (text) =>
    yaml.parseAllDocuments(text).map((document) => {
      if (document.errors.length > 0) throw document.errors[0];
      return document.toJS();
    }),
};

const attempt = (read, text) => {
  try {
    return read(text);
  } catch (error) {
    return String(error);
  }
};

const texts = Object.entries(JSON.parse(readFileSync(asked, "utf-8")));
const answers = Object.entries(readers).map(([reader, read]) => [
  reader,
  Object.fromEntries(texts.map(([name, text]) => [name, attempt(read, text)])),
]);
console.log(JSON.stringify(Object.fromEntries(answers)));
