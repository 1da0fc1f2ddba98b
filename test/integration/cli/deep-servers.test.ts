/** Servers that are deeper in nested stacks than Hearth nests them, as a Heat may have them. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { PAGE_RESOURCES_MAX } from "#client/pages.ts";
import { type FakeHeat, startFakeHeat } from "./fake-heat.ts";
import { hearthHere, printedHere } from "./hearth-here.ts";

const STACK_ID = "11111111-2222-3333-4444-555555555555";
const LEVELS = 7;

let heat: FakeHeat;
beforeEach(async () => {
  heat = await startFakeHeat();
});
afterEach(() => heat.close());

const linkTo = (stack: string): string => `${heat.endpoint}v1/demo/stacks/${stack}/id-${stack}`;

/** One resource a level, and two servers on the lowest. A list has the levels that it asks for. */
const answerWithTree = (): void => {
  const stackAt = (level: number): string => (level === 0 ? "web" : `web-${level}`);
  const resource = (level: number, name: string, nested: readonly object[] = []) => ({
    resource_name: name,
    resource_type: nested.length > 0 ? "OS::Heat::Stack" : "OS::Heat::DeployedServer",
    resource_status: "CREATE_COMPLETE",
    physical_resource_id: `id-${name}`,
    links: [
      {
        rel: "stack",
        href: level === 0 ? linkTo("web").replace("id-web", STACK_ID) : linkTo(stackAt(level)),
      },
      ...nested,
    ],
  });
  const rows = Array.from({ length: LEVELS }, (_, level) =>
    resource(level, `n${level}`, [{ rel: "nested", href: linkTo(stackAt(level + 1)) }]),
  );
  const servers = ["a", "b"].map((name) => resource(LEVELS, name));
  for (let depth = 0; depth < 100; depth += 1) {
    const query = `?limit=${PAGE_RESOURCES_MAX}&nested_depth=${depth}`;
    const resources = [...rows.slice(0, depth + 1), ...(depth >= LEVELS ? servers : [])];
    heat.answerWith(`GET /v1/demo/stacks/web/${STACK_ID}/resources${query}`, { resources });
  }
  heat.answerWith("GET /v1/demo/software_deployments?with_names=true", {
    software_deployments: [],
  });
  for (const name of ["a", "b"]) {
    const server = { id: `id-${name}`, contact: "unseen", agent: null, refused_polls: 0 };
    heat.answerWith(`GET /v1/demo/servers/id-${name}`, { server });
  }
};

const PLACE = "n0/n1/n2/n3/n4/n5/n6";

it("are in the list of servers", async () => {
  answerWithTree();
  const printed = await printedHere(heat.endpoint, "server", "list", "web", "--json");
  expect(JSON.parse(printed)).toMatchObject({
    servers: [{ name: `${PLACE}/a` }, { name: `${PLACE}/b` }],
  });
});

it("are known where the server has to be named", async () => {
  answerWithTree();
  const { code, stderr } = await hearthHere(heat.endpoint, "server", "bootstrap", "web");
  expect([code, stderr]).toEqual([2, `Say which server of web: ${PLACE}/a, ${PLACE}/b.`]);
});
