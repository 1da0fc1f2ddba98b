/**
 * Each import rule must catch something. A rule whose pattern matches nothing would go unnoticed.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { cruise, ROOT, SOURCE_FOLDERS } from "./import-rules.ts";
import { ROOMS, roomTable } from "./rooms.ts";

const moduleOf = (room: string): string =>
  `${room.replace("*", "one")}${room.endsWith(".ts") ? "" : "/one.ts"}`;

const STRAYING = ROOMS.flatMap(({ room, imports }) => {
  const other = ROOMS.find(
    (one) =>
      one.room !== room && !imports.some((name) => one.room.startsWith(name.replace("/**", ""))),
  );
  return other === undefined ? [] : [{ from: moduleOf(room), to: moduleOf(other.room) }];
});

const Config = z.object({ forbidden: z.array(z.object({ name: z.string() })) });
const { forbidden } = Config.parse(
  createRequire(import.meta.url)(join(ROOT, ".dependency-cruiser.cjs")),
);

const BROKEN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "everything-resolves": { "apps/cli/lost.ts": 'import "./nowhere.ts";' },
  "no-circular": {
    "apps/cli/hen.ts": 'import { egg } from "./egg.ts";\nexport const hen = () => egg;',
    "apps/cli/egg.ts": 'import { hen } from "./hen.ts";\nexport const egg = () => hen;',
  },
  "provider-stands-alone": { "providers/sdk/early.ts": 'import "@aws-sdk/client-sqs";' },
  "only-servers-of-providers-need-node": { "providers/sdk/kit/socket.ts": 'import "node:http";' },
  "providers-know-the-interface": { "providers/own/early.ts": 'import "@middy/core";' },
  "client-stands-alone": { "apps/client/heavy.ts": 'import "node:fs";' },
  "console-reaches-no-platform": { "apps/console/src/shortcut.ts": 'import "node:fs";' },
  "playground-reaches-no-platform": {
    "apps/console/playground/indirect.ts": 'import "../../../lib/below-the-page.ts";',
    "lib/below-the-page.ts": 'import "node:fs";',
  },
  "agent-stands-alone": { "apps/agent/dependent.ts": 'import "@middy/core";' },
  "npm-test-needs-no-openssl": {
    "test/unit/certified.test.ts": 'import "../tls/authority.ts";',
    "test/tls/authority.ts": 'import "node:child_process";',
  },
  "core-reaches-no-platform": {
    "lib/engine/indirect.ts": 'import "../between.ts";',
    "lib/between.ts":
      'import { Worker } from "node:worker_threads";\nexport const worker = Worker;',
  },
};

const SOUND: Readonly<Record<string, string>> = {
  "package.json": '{"type":"module","imports":{"#lib/*":"./lib/*"}}',
  "tsconfig.json":
    '{"compilerOptions":{"module":"nodenext","target":"es2024","allowImportingTsExtensions":true,"noEmit":true}}',
  "lib/errors.ts": "export class Bug extends Error {}",
  "lib/ports/ports.ts": "export interface Clock { now(): number }",
  "lib/engine/verb.ts": 'import "#lib/errors.ts";\nimport "../convergence/story.ts";',
  "lib/api/view.ts": 'import "../engine/verb.ts";',
  "lib/resources/none.ts": 'import "../ports/ports.ts";',
  "lib/convergence/story.ts": 'import type { Clock } from "../ports/ports.ts";',
  "lib/adapters/memory/store.ts": 'import "../../ports/ports.ts";',
  "functions/api/lambda.ts": 'import "#lib/adapters/node/ids.ts";',
  "lib/adapters/node/ids.ts": 'import "node:crypto";',
  "infra/app.ts": 'import "#lib/ports/ports.ts";',
  "providers/own/none.ts": 'import "node:fs";',
  "apps/client/client.ts": 'import "zod";\nimport "#lib/errors.ts";',
  "apps/cli/hearth.ts": 'import "node:fs";\nimport "../client/client.ts";',
  "test/world.ts": 'import "../lib/api/view.ts";',
};

const folders: string[] = [];

const treeOf = (files: Readonly<Record<string, string>>): string => {
  const folder = mkdtempSync(join(tmpdir(), "hearth-imports-"));
  folders.push(folder);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), `${text}\n`);
  }
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  return folder;
};

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

describe("the table of rooms", () => {
  it("refuses each room what its row does not name", () => {
    const targets = Object.fromEntries(STRAYING.map(({ to }) => [to, "export const one = 1;"]));
    const sources = STRAYING.map(({ from, to }) => [
      from,
      `import { one } from "./${relative(dirname(from), to)}"; export const two = one;`,
    ]);
    const { violations } = cruise(treeOf({ ...SOUND, ...targets, ...Object.fromEntries(sources) }));
    const seen = violations.filter(({ rule }) => rule === "not-in-allowed");
    expect(STRAYING.length).toBeGreaterThan(30);
    expect(STRAYING.filter(({ from }) => !seen.some((found) => found.from === from))).toEqual([]);
  });

  it("has a row for each folder of the sources", () => {
    const rooms = new Set(ROOMS.map(({ room }) => room.split("/")[0]));
    expect(SOURCE_FOLDERS.filter((folder) => !rooms.has(folder))).toEqual([]);
  });

  it("stands in docs/architecture.md", () => {
    const page = readFileSync(join(ROOT, "docs/architecture.md"), "utf8");
    const [, table = ""] = page.split(/<!-- rooms(?: end)? -->\n/);
    expect(table.trim()).toBe(roomTable());
  });
});

describe("the import rules", () => {
  it("find nothing in a tree that keeps them, and see all of it", () => {
    const { modules, violations } = cruise(treeOf(SOUND));
    expect(violations).toEqual([]);
    expect(modules.toSorted()).toEqual(
      Object.keys(SOUND)
        .filter((path) => path.endsWith(".ts"))
        .toSorted(),
    );
  });

  it("all have a sample here", () => {
    expect(Object.keys(BROKEN).toSorted()).toEqual(forbidden.map(({ name }) => name).toSorted());
  });

  it("each report the import that breaks them", () => {
    const { violations } = cruise(treeOf(Object.assign({}, SOUND, ...Object.values(BROKEN))));
    for (const [rule, files] of Object.entries(BROKEN)) {
      const from = violations.filter((found) => found.rule === rule).map((found) => found.from);
      expect(
        from.filter((path) => path in files),
        rule,
      ).not.toEqual([]);
    }
  });
});
