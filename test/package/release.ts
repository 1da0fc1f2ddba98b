import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import provider from "../../providers/sdk/package.json" with { type: "json" };
import type { Check } from "../crash/checks.ts";
import { run } from "./run.ts";

const RELEASE_MS_MAX = 300_000;

const sbomSchema = z.looseObject({
  bomFormat: z.literal("CycloneDX"),
  components: z.array(z.looseObject({ name: z.string(), version: z.string() })),
});

export interface Release {
  readonly single: string;
  readonly provider: string;
  readonly checks: readonly Check[];
}

const gitStatus = async (root: string): Promise<string> => {
  const { code, stdout, stderr } = await run("git", ["status", "--porcelain"], { cwd: root });
  if (code !== 0) throw new Error(`git status failed: ${stderr}`);
  return stdout;
};

const checkSums = async (folder: string): Promise<Check> => {
  const { code, stdout } = await run("sha256sum", ["--check", "SHA256SUMS"], { cwd: folder });
  const named = stdout.split("\n").length;
  const wrong = code === 0 && named === readdirSync(folder).length ? [] : [stdout];
  return { name: "the checksums name each file of the release", wrong };
};

export const makeRelease = async (
  root: string,
  name: string,
  version: string,
): Promise<Release> => {
  const before = await gitStatus(root);
  const made = await run("npm", ["run", "release"], { cwd: root, msMax: RELEASE_MS_MAX });
  if (made.code !== 0) throw new Error(`npm run release failed: ${made.stderr}`);
  const folder = join(root, "dist-release");
  const sbom = sbomSchema.parse(
    JSON.parse(readFileSync(join(folder, `${name}-${version}.cdx.json`), "utf8")),
  );
  const parts = sbom.components.map((component) => `${component.name} ${component.version}`);
  const notices = readFileSync(join(folder, "THIRD-PARTY-NOTICES.txt"), "utf8");
  const changed = (await gitStatus(root)) === before ? [] : [await gitStatus(root)];
  return {
    provider: join(folder, `hearth-provider-${provider.version}.tgz`),
    single: join(folder, `hearth-${version}-${process.platform}-${process.arch}`),
    checks: [
      await checkSums(folder),
      { name: "a release changes nothing that git sees", wrong: changed },
      {
        name: `the SBOM and the notices name the same ${parts.length} packages`,
        wrong: [
          ...(parts.length > 0 ? [] : ["none"]),
          ...parts.filter((part) => !notices.includes(`\n${part} (`)),
          ...[...notices.matchAll(/^(\S+ \d\S*) \([^)]+\)$/gm)]
            .flatMap(([, part = ""]) => part)
            .filter((part) => !parts.includes(part)),
        ],
      },
    ],
  };
};
