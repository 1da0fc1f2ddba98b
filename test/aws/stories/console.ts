import { deepEqual, equal, match, ok } from "node:assert/strict";
import { PROJECT, type Story } from "../lane.ts";

const BROWSER = { Accept: "text/html", "Accept-Encoding": "br" };

const filesOf = (page: string, address: string): readonly string[] =>
  [...page.matchAll(/(?:src|href)="(\.\/[^"]+)"/g)].map(([, path = ""]) =>
    new URL(path, address).toString(),
  );

export const consoleStory: Story = {
  name: "the console is served to everybody, and the API behind it asks for a token",
  needs: ["bytes"],
  play: async ({ url, token, say }) => {
    const address = `${url}/console/index.html`;
    const page = await fetch(address, { headers: BROWSER });
    equal(page.status, 200);
    match(page.headers.get("content-type") ?? "", /^text\/html/);
    match(page.headers.get("content-security-policy") ?? "", /default-src 'none'/);
    const files = filesOf(await page.text(), address);
    ok(files.length >= 3, "the page names its files");
    for (const file of files) {
      const answer = await fetch(file, { headers: BROWSER });
      deepEqual([file, answer.status], [file, 200]);
      const tag = answer.headers.get("etag") ?? "";
      const size = (await answer.arrayBuffer()).byteLength;
      say(`${new URL(file).pathname}: ${size} bytes`);
      const again = await fetch(file, { headers: { ...BROWSER, "If-None-Match": tag } });
      equal(again.status, 304);
    }
    equal((await fetch(`${url}/console/nothing.js`)).status, 404);

    // Without a stream of changes (404) the page polls.
    const api = `${url}/v1/${PROJECT}`;
    equal((await fetch(`${api}/build_info`)).status, 401);
    const headers = { "X-Auth-Token": token };
    equal((await fetch(`${api}/_changes`, { headers })).status, 404);
    // Other stories change the stacks meanwhile, but the template versions stay the same.
    const versions = await fetch(`${api}/template_versions`, { headers });
    const known = { ...headers, "If-None-Match": versions.headers.get("etag") ?? "" };
    equal((await fetch(`${api}/template_versions`, { headers: known })).status, 304);
  },
};
