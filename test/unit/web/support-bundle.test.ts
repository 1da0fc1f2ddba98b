import { expect, it } from "vitest";
import { openClient } from "#client/client.ts";
import { NESTED_LEVELS_MAX } from "#client/nested-paths.ts";
import { parseJson } from "#lib/json.ts";
import { openPageApi } from "../../../apps/console/playground/page-api.ts";
import { PAGE_URL } from "../../../apps/console/playground/page-engine.ts";
import { apply } from "../../../apps/console/src/draft.ts";
import { supportBundle, withoutQuotes } from "../../../apps/console/src/support-bundle.ts";

const fetch = openPageApi(Date.now, (error) => {
  throw error;
});
const client = openClient({ endpoint: PAGE_URL, project: "p", fetch });

const SECRET = "s3cr3t-text";
const TEMPLATE = JSON.stringify({
  heat_template_version: "2018-08-31",
  parameters: { password: { type: "string", default: SECRET } },
  resources: {
    thing: { type: "OS::Heat::TestResource", properties: { value: { get_param: "password" } } },
    handle: { type: "OS::Heat::WaitConditionHandle" },
    bad: {
      type: "OS::Heat::TestResource",
      properties: { fail: true, value: { get_attr: ["handle", "curl_cli"] } },
    },
  },
  outputs: { url: { value: { get_attr: ["handle", "endpoint"] } } },
});

const send = async (path: string, body: unknown): Promise<void> => {
  await fetch(`${PAGE_URL}${path}`, { method: "POST", body: JSON.stringify(body) });
};

it("asks for nested stacks however deep they are", async () => {
  const asked: string[] = [];
  const listening: typeof fetch = (input, init) => {
    asked.push(input);
    return fetch(input, init);
  };
  const heard = openClient({ endpoint: PAGE_URL, project: "p", fetch: listening });
  const template = JSON.stringify({ heat_template_version: "2018-08-31" });
  const draft = { name: "deep", template, parameters: new Map() };
  const stack = await apply(client, null, draft, null);
  await supportBundle(heard, stack, new Date(0));
  const depths = asked.flatMap((url) => new URL(url).searchParams.get("nested_depth") ?? []);
  expect(depths).toEqual(Array(2).fill(String(NESTED_LEVELS_MAX)));
});

it("tells what failed and why, and holds no value of the template", async () => {
  const draft = { name: "app", template: TEMPLATE, parameters: new Map() };
  const stack = await apply(client, null, draft, null);
  await send("/_dev/drain", {});
  const text = await supportBundle(client, stack, new Date(0));
  expect(parseJson(text)).toMatchObject({
    hearth_support_bundle: 1,
    made: "1970-01-01T00:00:00.000Z",
    version: { api: { revision: "playground" } },
    stack: { stack_name: "app", stack_status: "CREATE_FAILED" },
    diagnosis: { resources: [{ resource_name: "bad", cause: { kind: "failed" } }] },
    deployments: [],
  });
  for (const name of ["thing", "handle", "bad"]) expect(text).toContain(`"${name}"`);
  expect(text).toContain("CREATE_IN_PROGRESS");
  expect(text).not.toContain(SECRET);
  expect(text).not.toMatch(/[?&]sig=(?!\*)/);
});

it.each([
  "Deployment to server failed: status code: 3; stderr: the password\nof two lines",
  'it ended FAILED 3 s ago; the end of stderr: "one", "the password"',
  'no output for 5 min, last line "the password"',
])("leaves out what a script has printed: %s", (text) => {
  const told = String(withoutQuotes("", text));
  expect(told).not.toContain("password");
  expect(text.startsWith(told.replace("(left out)", ""))).toBe(true);
});
