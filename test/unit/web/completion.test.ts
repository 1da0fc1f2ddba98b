import { describe, expect, it } from "vitest";
import { openClient } from "#client/client.ts";
import { openPageApi } from "../../../apps/console/playground/page-api.ts";
import { PAGE_URL } from "../../../apps/console/playground/page-engine.ts";
import { completionsAt } from "../../../apps/console/src/completion.ts";
import { wordsOf } from "../../../apps/console/src/completion-words.ts";

const fetch = openPageApi(Date.now, (error) => {
  throw error;
});
const words = wordsOf(openClient({ endpoint: PAGE_URL, project: "p", fetch }));

const HEAD = `heat_template_version: 2018-08-31
parameters:
  size:
    type: number
    constraints:
      - range: {min: 1}
conditions:
  is_large: {equals: [{get_param: size}, 9]}
resources:
  password:
    type: OS::Heat::RandomString
  server:
    type: "OS::Nova::Server"
`;

/** `|` is the cursor. */
const offered = async (rest: string) => {
  const text = `${HEAD}${rest}`;
  const at = text.indexOf("|");
  const found = await completionsAt(text.replace("|", ""), at, words);
  return { typed: found?.typed ?? null, options: found?.options ?? [] };
};
const labels = async (rest: string): Promise<readonly string[]> =>
  (await offered(rest)).options.map(({ label }) => label);

describe("the editor offers", () => {
  it.each([
    ["the sections", "out|", "outputs"],
    ["the keys of a resource", "  new:\n    dep|", "depends_on"],
    ["the keys of a parameter", "parameters:\n  more:\n    hid|", "hidden"],
    ["the keys of an output", "outputs:\n  text:\n    val|", "value"],
    ["types of resources", "  new:\n    type: OS::Heat::R|", "OS::Heat::RandomString"],
    ["types of parameters", "parameters:\n  more:\n    type: n|", "number"],
    ["properties", "    properties:\n      fla|", "flavor"],
    ["properties in a list's items", "    properties:\n      networks:\n        - net|", "network"],
    [
      "its further lines",
      "    properties:\n      networks:\n      - network: a\n        po|",
      "port",
    ],
    ["functions", "    properties:\n      name: { get_|", "get_param"],
    ["functions in an output", "outputs:\n  text:\n    value:\n      str_|", "str_replace"],
    ["parameters", "    properties:\n      name: { get_param: s|", "size"],
    ["resources", "outputs:\n  id:\n    value: { get_resource: |", "password"],
    ["attributes", "outputs:\n  id:\n    value: { get_attr: [password, v|", "value"],
    ["what to wait for", "    depends_on: [server, p|", "password"],
    ["what to wait for, in lines", "    depends_on:\n      - p|", "password"],
    ["conditions", "    condition: i|", "is_large"],
  ])("%s", async (_, rest, expected) => {
    expect(await labels(rest)).toContain(expected);
  });

  it("what a property is, and what a change of it does", async () => {
    const { options, typed } = await offered("    properties:\n      fla|");
    expect(typed).toBe(3);
    expect(options.find(({ label }) => label === "flavor")).toMatchObject({
      apply: "flavor: ",
      detail: "string, required",
      boost: 1,
    });
    const image = options.find(({ label }) => label === "availability_zone");
    expect(image?.detail).toBe("string, a change replaces");
    expect(image?.info).not.toBe("");
  });

  it.each([
    "# out|",
    "  new|",
    "    properties:\n      name: plain|",
    "  other:\n    type: OS::No::Such\n    properties:\n      na|",
    "    metadata:\n      na|",
  ])("nothing in %j", async (rest) => {
    expect(await labels(rest)).toEqual([]);
  });
});
