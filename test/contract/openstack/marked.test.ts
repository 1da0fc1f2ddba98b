import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { present } from "#lib/errors.ts";
import type { MarkedObject } from "#provider/provider.ts";
import { put } from "../../openstack/double/state.ts";
import { type DoubleStage, startDoubleStage } from "../../openstack/double-stage.ts";
import { CASES, typeAt, withFixture, withOne } from "../../openstack/provider-play.ts";

let stage: DoubleStage;
beforeEach(async () => {
  stage = await startDoubleStage({ hidden: 0, looks: 1 });
});
afterEach(async () => {
  await stage.double.stop();
});

const listed = z.object({ volumes: z.array(z.json()) });

const TYPES = CASES({ network: "", group: "" }).map(({ type }) => type);
const NAMED = ["OS::Nova::Server", "OS::Cinder::Volume"];

const markedOf = async (type: string, send?: typeof fetch): Promise<readonly MarkedObject[]> => {
  const { marked } = typeAt(stage, type, send);
  return present(marked, `the list of ${type}`)("demo");
};
const idsOf = async (type: string): Promise<readonly string[]> =>
  (await markedOf(type)).map(({ physicalId }) => physicalId);

describe("the provider of OpenStack", () => {
  it.each(TYPES)("lists a %s that it has made, and no longer after the delete", async (type) => {
    await withFixture(stage, async (fixture) => {
      const before = await idsOf(type);
      const one = present(
        CASES(fixture).find((each) => each.type === type),
        type,
      );
      await withOne(stage, one, async (id) => {
        expect((await idsOf(type)).toSorted()).toEqual([...before, id].toSorted());
        const names = { stackName: "app", resourceName: "thing" };
        const mark = (await markedOf(type)).find(({ physicalId }) => physicalId === id);
        expect(mark).toEqual({ physicalId: id, ...(NAMED.includes(type) ? names : {}) });
      });
      expect(await idsOf(type)).toEqual(before);
    });
  });

  it("lists a router's interface by its own id, and its port as none of a template", async () => {
    await withFixture(stage, async ({ network }) => {
      const [subnet = ""] = await idsOf("OS::Neutron::Subnet");
      const edge = { type: "OS::Neutron::Router", properties: {} };
      const port = { type: "OS::Neutron::Port", properties: { network } };
      await withOne(stage, edge, async (router) => {
        const uplink = { type: "OS::Neutron::RouterInterface", properties: { router, subnet } };
        await withOne(stage, port, (own) =>
          withOne(stage, uplink, async (id) => {
            expect(await idsOf("OS::Neutron::RouterInterface")).toEqual([id]);
            expect(await idsOf("OS::Neutron::Port")).toEqual([own]);
          }),
        );
      });
    });
  });

  it("lists nothing that another project shares", async () => {
    const description = "[hearth:2d711642-b726-b044-01e3-75f2e40f0d8e]";
    const members = { name: "theirs", visible: true, description };
    put(stage.double.state, "networks", { project: "other", members });
    expect(await idsOf("OS::Neutron::Net")).toEqual([]);
  });

  it("follows the links of a list that comes in pages", async () => {
    const send: typeof fetch = async (url, options) => {
      const answer = await fetch(url, options);
      const { pathname, searchParams } = new URL(String(url));
      if (!pathname.endsWith("/volumes/detail")) return answer;
      const { volumes } = listed.parse(await answer.json());
      const at = Number(searchParams.get("marker") ?? 0);
      const href = `https://cinder.example/v3/volumes/detail?limit=1&marker=${at + 1}`;
      const more = at + 1 < volumes.length ? { volumes_links: [{ rel: "next", href }] } : {};
      return Response.json({ volumes: volumes.slice(at, at + 1), ...more });
    };
    const volume = { type: "OS::Cinder::Volume", properties: { size: 1 } };
    await withOne(stage, volume, (one) =>
      withOne(stage, volume, (two) =>
        withOne(stage, volume, async (three) => {
          const found = await markedOf("OS::Cinder::Volume", send);
          const ids = found.map(({ physicalId }) => physicalId);
          expect(ids.toSorted()).toEqual([one, two, three].toSorted());
        }),
      ),
    );
  });
});
