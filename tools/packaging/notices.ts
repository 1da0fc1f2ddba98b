/** Collects the licences of the bundled packages, because most licences require their text. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./bundle.ts";
import type { BundledPackage } from "./packages.ts";

/** These licences do not require a copy of their text, and some of their packages have none. */
const WITHOUT_TEXT = new Set(["MIT-0", "0BSD", "CC0-1.0"]);

const LICENCE_FILE = /^(licen[cs]e|copying|notice)\b/i;

/** Some packages omit the file although their repositories have it, so a copy is kept here. */
const copiedLicence = (name: string): string =>
  join(ROOT, "tools/packaging/licences", `${name.replace("/", "-")}.txt`);

/** @throws for a package without a licence text, because its code must not be distributed. */
const noticeOf = ({ name, version, license, folder }: BundledPackage): string => {
  const own = readdirSync(folder).filter((file) => LICENCE_FILE.test(file));
  const files = [...own.map((file) => join(folder, file)), copiedLicence(name)].filter(existsSync);
  if (files.length === 0 && !WITHOUT_TEXT.has(license)) {
    throw new Error(`${name} has no licence file: copy its repository's to ${copiedLicence(name)}`);
  }
  const texts = files.map((file) => readFileSync(file, "utf8").trim());
  return [`${name} ${version} (${license})`, ...texts].join("\n\n");
};

const BEGINNING = "Hearth contains code of these packages, each under its own licence.";

export const noticesOf = (packages: readonly BundledPackage[]): string =>
  `${[BEGINNING, ...packages.map(noticeOf)].join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
