import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Some editors put a byte order mark first. */
const IS_HOT = /^\uFEFF?heat_template_version\s*:/m;
const DEPLOYS_SOFTWARE = /\btype\s*:\s*["']?OS::Heat::(Software|Structured)/;

export const softwareTemplates = (checkout: string): readonly string[] => {
  const seen = new Set<string>();
  return readdirSync(checkout, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".yaml"))
    .sort()
    .filter((path) => {
      const text = readFileSync(join(checkout, path), "utf8");
      const digest = createHash("sha256").update(text).digest("hex");
      if (!IS_HOT.test(text) || !DEPLOYS_SOFTWARE.test(text) || seen.has(digest)) return false;
      seen.add(digest);
      return true;
    });
};
