import { deepEqual, equal, ok } from "node:assert/strict";
import type { EvidenceKind } from "#lib/model/evidence.ts";
import {
  attempt,
  attemptsOn,
  countsOf,
  idOf,
  readSite,
  SOFTWARE_TEMPLATE,
  type SoftwareSite,
} from "#test/integration/security/software-site.ts";
import { eventually } from "../eventually.ts";
import {
  create,
  ends,
  type Lane,
  outputs,
  PROJECT,
  remove,
  type StackRef,
  type Story,
  show,
  update,
} from "../lane.ts";

const START_MS_MAX = 30_000;

const plant = (lane: Lane, { metadataUrl, signalUrl }: SoftwareSite): void => {
  for (const url of [metadataUrl, signalUrl]) {
    lane.planted.push(new URL(url).searchParams.get("sig") ?? "");
  }
};

const metadataUrlOf = async (lane: Lane, stack: StackRef): Promise<string | null> => {
  const text = JSON.stringify((await outputs(lane, stack))["agent"] ?? null);
  return /"metadata_url":"([^"]+)"/.exec(text)?.[1] ?? null;
};

const published = async (
  lane: Lane,
  metadataUrl: string,
  after?: SoftwareSite,
): Promise<SoftwareSite> => {
  const site = await eventually("the deployment is published", START_MS_MAX, async () => {
    const found = await readSite(metadataUrl);
    return found?.signalUrl === after?.signalUrl ? null : found;
  });
  plant(lane, site);
  return site;
};

const parameters = (): { readonly word: string } => ({ word: `planted-${crypto.randomUUID()}` });

export const makeSite = async (lane: Lane, name: string) => {
  const given = parameters();
  lane.planted.push(given.word);
  const stack = await create(lane, name, SOFTWARE_TEMPLATE, { parameters: given });
  const url = await eventually("the server is there", START_MS_MAX, () =>
    metadataUrlOf(lane, stack),
  );
  return { stack, site: await published(lane, url) };
};

const kindsOf = async ({ account }: Lane, { serverId }: SoftwareSite) => {
  const evidence = await account.adapter.softwareConfigs.listEvidence(serverId);
  const counts = (ofServer: boolean): Partial<Record<EvidenceKind, number>> =>
    Object.fromEntries(
      evidence
        .filter(({ deploymentId }) => (deploymentId === null) === ofServer)
        .map(({ kind, count }) => [kind, count]),
    );
  ok(
    evidence.every(({ tenant }) => tenant === PROJECT),
    "evidence is the owner's",
  );
  return { server: counts(true), deployment: counts(false) };
};

const statusOf = (url: string, body: object | null): Promise<number> =>
  attempt({
    name: "",
    url,
    method: body === null ? "GET" : "PUT",
    status: 0,
    kind: "",
    ...(body === null ? {} : { body: JSON.stringify(body) }),
  });

const misused: Story = {
  name: "a signed URL that is altered or used for something else is refused and recorded, each in its kind",
  play: async (lane) => {
    const { stack, site } = await makeSite(lane, "misused");
    const other = await makeSite(lane, "bystander");
    const { onServer, onDeployment } = attemptsOn(site, other.site);
    const wrong: string[] = [];
    for (const one of [...onServer, ...onDeployment]) {
      const status = await attempt(one);
      if (status !== one.status) wrong.push(`${one.name}: ${status}`);
    }
    deepEqual(wrong, []);
    deepEqual(await kindsOf(lane, site), {
      server: countsOf(onServer),
      deployment: countsOf(onDeployment),
    });
    deepEqual(await kindsOf(lane, other.site), { server: {}, deployment: {} });
    equal((await show(lane, stack)).stack_status, "CREATE_IN_PROGRESS");
    for (const [ref, { signalUrl }] of [
      [stack, site],
      [other.stack, other.site],
    ] as const) {
      equal(await statusOf(signalUrl, {}), 200);
      await ends(lane, ref, "CREATE_COMPLETE");
      await remove(lane, ref);
    }
  },
};

const expired: Story = {
  name: "an expired or revoked signed URL is refused and recorded although its signature is good",
  play: async (lane) => {
    const { stack, site } = await makeSite(lane, "expired");
    const signer = await lane.account.signer();
    const signed = (url: string, kind: "signal" | "metadata", exp: number, gen: number): string => {
      const { kid, sig } = signer.sign({ tenant: PROJECT, kind, id: idOf(url), exp, gen });
      lane.planted.push(sig);
      return url.replace(
        /\?.*/,
        `?kid=${encodeURIComponent(kid)}&exp=${exp}&gen=${gen}&sig=${sig}`,
      );
    };
    equal(await statusOf(signed(site.metadataUrl, "metadata", 0, 1), null), 200);
    equal(await statusOf(signed(site.signalUrl, "signal", 1_000, 1), {}), 403);
    equal(await statusOf(signed(site.metadataUrl, "metadata", 1_000, 1), null), 403);
    equal(await statusOf(signed(site.metadataUrl, "metadata", 0, 2), null), 410);
    deepEqual(await kindsOf(lane, site), {
      server: { expired: 1, revoked: 1 },
      deployment: { expired: 1 },
    });
    equal(await statusOf(site.signalUrl, {}), 200);
    await ends(lane, stack, "CREATE_COMPLETE");
    await remove(lane, stack);
  },
};

const repeated: Story = {
  name: "a signal that is repeated, contradicted, late, of an older operation or for a deleted deployment changes nothing and is recorded",
  play: async (lane) => {
    const { stack, site } = await makeSite(lane, "repeated");
    const stdout = `planted-${crypto.randomUUID()}`;
    lane.planted.push(stdout);
    const result = { result: stdout, deploy_stdout: stdout, deploy_status_code: 0 };
    equal(await statusOf(site.signalUrl, result), 200);
    await ends(lane, stack, "CREATE_COMPLETE");
    const before = await show(lane, stack);
    equal(await statusOf(site.signalUrl, result), 200);
    equal(await statusOf(site.signalUrl, { ...result, result: "second" }), 200);
    equal(await statusOf(site.signalUrl, { deploy_status_code: 1 }), 200);
    equal(await statusOf(site.signalUrl, { deploy_status: "IN_PROGRESS" }), 200);
    deepEqual((await kindsOf(lane, site)).deployment, { duplicate: 1, conflicting: 2, late: 1 });
    deepEqual(await show(lane, stack), before);

    const given = parameters();
    lane.planted.push(given.word);
    await update(lane, stack, SOFTWARE_TEMPLATE, { parameters: given });
    const updated = await published(lane, site.metadataUrl, site);
    equal(await statusOf(site.signalUrl, { deploy_status_code: 1 }), 200);
    equal((await kindsOf(lane, site)).deployment.old_operation, 1);
    equal((await show(lane, stack)).stack_status, "UPDATE_IN_PROGRESS");
    equal(await statusOf(updated.signalUrl, {}), 200);
    await ends(lane, stack, "UPDATE_COMPLETE");

    await remove(lane, stack);
    equal(await statusOf(updated.signalUrl, {}), 410);
    equal(await statusOf(site.signalUrl, {}), 410);
    equal((await kindsOf(lane, site)).deployment.deleted, 2);
    equal(await statusOf(site.metadataUrl, null), 410);
  },
};

export const signedUrlStories: readonly Story[] = [misused, expired, repeated];
