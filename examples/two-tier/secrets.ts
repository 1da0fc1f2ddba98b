import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { DATABASE_FILE } from "#lib/adapters/sqlite/open-sqlite.ts";
import type { Checks } from "./checks.ts";

const PASSWORD = /^password=([0-9A-Za-z]{24})$/m;
const SHOWN_CHARS_MAX = 300;

export interface Secrets {
  readonly environmentFile: string;
  learnPassword(credentials: string): void;
  hide(text: string): string;
  values(): readonly string[];
}

export const makeSecrets = (folder: string, apiKey = randomBytes(16).toString("hex")): Secrets => {
  const environmentFile = join(folder, "secret.yaml");
  writeFileSync(environmentFile, `parameters:\n  api_key: ${JSON.stringify(apiKey)}\n`, {
    mode: 0o600,
  });
  const values = new Map([["{api_key}", apiKey]]);
  return {
    environmentFile,
    learnPassword: (credentials) => {
      const [, password] = PASSWORD.exec(credentials) ?? [];
      if (password === undefined) throw new Error("the database's script was given no password");
      values.set("{db_password}", password);
    },
    hide: (text) =>
      [...values].reduce((hidden, [name, value]) => hidden.replaceAll(value, name), text),
    values: () => [...values.values()],
  };
};

export type Places = Readonly<Record<string, readonly string[]>>;

export const checkNoSecret = (checks: Checks, { hide, values }: Secrets, places: Places): void => {
  for (const [place, texts] of Object.entries(places)) {
    const leaks = texts.filter((text) => values().some((secret) => text.includes(secret)));
    const what = `neither secret stands in ${place} (${texts.length} looked at)`;
    // A search through no text proves nothing.
    const nothing = texts.length === 0 ? ["nothing was found there"] : [];
    const shown = leaks.map((text) => hide(text).slice(0, SHOWN_CHARS_MAX));
    checks.holds(what, texts.length > 0 && leaks.length === 0, [...nothing, ...shown].join("\n"));
  }
};

/** Every file as bytes, since deleted rows can survive in a database file. */
export const dataFiles = (data: string): readonly string[] =>
  readdirSync(data, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"));

export const messageBodies = (data: string): readonly string[] => {
  const database = new DatabaseSync(join(data, DATABASE_FILE), { readOnly: true });
  try {
    const rows = database.prepare("SELECT body FROM messages").all();
    return rows.map((row) => String(row["body"]));
  } finally {
    database.close();
  }
};
