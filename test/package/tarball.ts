import { join } from "node:path";
import { z } from "zod";
import manifest from "../../package.json" with { type: "json" };
import type { Check } from "../crash/checks.ts";
import { run } from "./run.ts";

const PACKED_BYTES_MAX = 10 * 1024 * 1024;
const PACK_MS_MAX = 300_000;

const packSchema = z.tuple([
  z.looseObject({
    filename: z.string(),
    size: z.number(),
    files: z.array(z.looseObject({ path: z.string() })),
  }),
]);

const NEEDED = ["LICENSE", "NOTICE", "README.md", "CHANGELOG.md", "dist/THIRD-PARTY-NOTICES.txt"];
const UNWANTED = /^(?:test|bench|infra|lib|functions|node_modules)\/|\.ts$|\.test\./;

export interface Tarball {
  readonly path: string;
  readonly checks: readonly Check[];
}

/** `npm pack` builds first, as a release does. */
export const packRepository = async (root: string, folder: string): Promise<Tarball> => {
  const words = ["pack", "--silent", "--json", "--pack-destination", folder];
  const { code, stdout, stderr } = await run("npm", words, { cwd: root, msMax: PACK_MS_MAX });
  if (code !== 0) throw new Error(`npm pack failed: ${stderr}`);
  // README installs what `npm pack --silent` prints, so nothing else may be printed.
  const [{ filename, size, files }] = packSchema.parse(JSON.parse(stdout));
  const paths = files.map(({ path }) => path);
  return {
    path: join(folder, filename),
    checks: [
      {
        name: `the tarball is small: ${size} bytes, ${paths.length} files`,
        wrong: size < PACKED_BYTES_MAX ? [] : [`${size} bytes, at most ${PACKED_BYTES_MAX}`],
      },
      {
        name: `the tarball holds its ${manifest.man.length} manual pages`,
        wrong: manifest.man.filter((path) => !paths.includes(path)),
      },
      {
        name: "the tarball holds no test and no source",
        wrong: paths.filter((path) => UNWANTED.test(path)),
      },
      {
        name: "the tarball holds the licences",
        wrong: NEEDED.filter((path) => !paths.includes(path)),
      },
    ],
  };
};
