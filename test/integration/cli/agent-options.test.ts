import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listen } from "../../contract/aws-emulators.ts";
import { freshFolder, removeFolder } from "../../contract/folders.ts";
import { hearth } from "./hearth-process.ts";

const NOBODY = "http://127.0.0.1:9";
const GONE = 410;

let folder: string;
beforeEach(() => {
  folder = freshFolder();
});
afterEach(() => removeFolder(folder));

const agent = (...options: readonly string[]) =>
  hearth(NOBODY, "agent", "--root", join(folder, "records"), ...options);

describe("hearth agent", () => {
  it("reads the URL from a file, so that its command line does not show it", async () => {
    const asked: (string | undefined)[] = [];
    // The agent ends by itself once its server is gone.
    const server = createServer((request, response) => {
      asked.push(request.url);
      response.writeHead(GONE).end();
    });
    const file = join(folder, "url");
    try {
      const url = `${await listen(server)}/v1/agent/metadata/one?sig=c2VjcmV0`;
      writeFileSync(file, `${url}\n`, { mode: 0o600 });
      expect(await agent("--metadata-url-file", file)).toMatchObject({ code: 0 });
    } finally {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    }
    expect(asked.length).toBeGreaterThan(0);
    for (const path of asked) expect(path).toContain("/v1/agent/metadata/one?sig=c2VjcmV0");
  });

  it("says what is wrong with the URL, and shows none of a file", async () => {
    const file = join(folder, "none");
    writeFileSync(file, "c2VjcmV0");
    const said = async (...options: readonly string[]) => {
      const { code, stderr } = await agent(...options);
      return [code, stderr];
    };
    expect(await said()).toEqual([
      2,
      "ERROR: A stack, --metadata-url or --metadata-url-file is needed, and only one\n",
    ]);
    expect(await said("--metadata-url-file", file)).toEqual([
      2,
      "ERROR: The text of --metadata-url-file is not a URL\n",
    ]);
    const missing = join(folder, "missing");
    expect(await said("--metadata-url-file", missing)).toEqual([
      2,
      `ERROR: ${missing} cannot be read: there is no such file\n`,
    ]);
  });
});
