import { deepEqual, equal, match, notEqual } from "node:assert/strict";
import * as z from "zod";
import { present } from "#lib/errors.ts";
import { eventually } from "../eventually.ts";
import {
  create,
  ends,
  hot,
  type Lane,
  outputs,
  REPAIR_MS_MAX,
  remove,
  type StackRef,
  type Story,
} from "../lane.ts";

const TEMPLATE = hot(
  {
    server: { type: "OS::Heat::DeployedServer", properties: { name: "web" } },
    config: {
      type: "OS::Heat::SoftwareConfig",
      properties: { group: "script", config: "#!/bin/sh", outputs: [{ name: "result" }] },
    },
    deployment: {
      type: "OS::Heat::SoftwareDeployment",
      properties: { config: { get_resource: "config" }, server: { get_resource: "server" } },
    },
  },
  {
    outputs: {
      agent: { value: { get_attr: ["server", "os_collect_config"] } },
      result: { value: { get_attr: ["deployment", "result"] } },
    },
  },
);

const agentOutput = z.object({ request: z.object({ metadata_url: z.url() }) });
const documentShape = z.object({
  deployments: z.array(
    z.object({ inputs: z.array(z.looseObject({ name: z.string(), value: z.unknown() })) }),
  ),
});

const ownUrl = z.object({ "os-collect-config": agentOutput });

const START_MS_MAX = 30_000;

const metadataUrl = (lane: Lane, stack: StackRef): Promise<string> =>
  eventually("the server is there", START_MS_MAX, async () => {
    const { data } = agentOutput.safeParse((await outputs(lane, stack))["agent"]);
    return data?.request.metadata_url ?? null;
  });

const inputsAt = (url: string): Promise<Readonly<Record<string, unknown>>> =>
  eventually("the deployment is published", START_MS_MAX, async () => {
    const { deployments } = documentShape.parse(await (await fetch(url)).json());
    const [deployment] = deployments;
    return deployment
      ? Object.fromEntries(deployment.inputs.map(({ name, value }) => [name, value]))
      : null;
  });

const statusOf = async (url: string, init: RequestInit = {}): Promise<number> =>
  (await fetch(url, init)).status;

const withQuery = (url: string, name: string, value: string): string => {
  const changed = new URL(url);
  changed.searchParams.set(name, value);
  return changed.href;
};

export const signalling: Story = {
  name: "a deployment waits for its server's signal, which comes through the signed URL",
  play: async (lane) => {
    const stack = await create(lane, "software", TEMPLATE);
    const url = await metadataUrl(lane, stack);
    const inputs = await inputsAt(url);
    const first = await fetch(url);
    const etag = first.headers.get("ETag") ?? "";
    match(etag, /^"/);
    equal(await statusOf(url, { headers: { "If-None-Match": etag } }), 304);

    const signalUrl = String(inputs["deploy_signal_id"]);
    const method = String(inputs["deploy_signal_verb"] ?? "POST");
    const body = JSON.stringify({ result: "good", deploy_status_code: 0 });
    await refused(url, signalUrl, { method, body });
    equal(await statusOf(signalUrl, { method, body }), 200);
    await ends(lane, stack, "CREATE_COMPLETE");
    equal((await outputs(lane, stack))["result"], "good");
    const later = JSON.stringify({ deploy_status_code: 1 });
    equal(await statusOf(signalUrl, { method, body: later }), 200);
    equal((await outputs(lane, stack))["result"], "good");
    await remove(lane, stack);
    equal(await statusOf(url), 410);
  },
};

const refused = async (metadata: string, signal: string, request: RequestInit): Promise<void> => {
  const derived = new URL(signal).pathname;
  const server = new URL(metadata).pathname;
  const scopeChanged = metadata.replace(server, derived);
  const statuses = await Promise.all([
    statusOf(withQuery(metadata, "sig", "AAAA")),
    statusOf(withQuery(metadata, "gen", "99")),
    statusOf(withQuery(metadata, "kid", "none")),
    statusOf(withQuery(signal, "exp", "1"), request),
    statusOf(withQuery(signal, "exp", "9999999999"), request),
    statusOf(scopeChanged, request),
    statusOf(signal.replace(/\?.*/, ""), request),
  ]);
  deepEqual(statuses, [403, 403, 403, 403, 403, 403, 403]);
};

const SERVER_ALONE = hot(
  { server: { type: "OS::Heat::DeployedServer", properties: { name: "web" } } },
  { outputs: { agent: { value: { get_attr: ["server", "os_collect_config"] } } } },
);

/**
 * @returns null if the client should retry: the emulator itself answered for a dead worker, with
 * 502 (which Hearth never uses) or with 500 and API Gateway's own text; or a worker answered 503
 * because its slow start counted against its time.
 */
const statusOfWorker = async (url: string): Promise<number | null> => {
  const answer = await fetch(url);
  const { status } = answer;
  const isOfGateway = /^\{"message": ?"Internal server error"\}$/.test(await answer.text());
  const isToComeAgain = status === 502 || status === 503 || (status === 500 && isOfGateway);
  return isToComeAgain ? null : status;
};

/** This story invalidates all earlier URLs and kills workers, so play it alone. */
export const rotating: Story = {
  name: "the rotation function makes new signing keys, and the URLs of all former ones stay valid until an operator ends them after a leak",
  needs: ["workers"],
  play: async (lane) => {
    const { account } = lane;
    const killWorkers = present(lane.killWorkers, "a way to kill workers");
    const stack = await create(lane, "rotated", SERVER_ALONE);
    await ends(lane, stack, "CREATE_COMPLETE");
    const url = await metadataUrl(lane, stack);
    // A new worker reads the keys at once. A warm one would read them within five minutes.
    const after = async (change: () => Promise<void>): Promise<number> => {
      await change();
      for (const polled of ["Metadata", "AgentPolls"]) killWorkers(polled);
      return eventually("a new worker answers", START_MS_MAX, () => statusOfWorker(url));
    };
    for (const _ of [1, 2]) equal(await after(account.rotateSigningKey), 200);
    equal(await after(account.replaceSigningKeys), 403);
    const serverId = new URL(url).pathname.split("/").at(-1) ?? "";
    const evidence = await account.adapter.softwareConfigs.listEvidence(serverId);
    deepEqual(
      evidence.map(({ kind }) => kind),
      ["unknown_key"],
    );

    // Restarted workers sign with the older of the two new keys.
    for (const signer of ["CheckResource", "Api"]) killWorkers(signer);
    await eventually("a new API worker answers", START_MS_MAX, () =>
      statusOfWorker(`${lane.url}/`),
    );
    const later = await create(lane, "rotated-later", SERVER_ALONE);
    // The message of a killed worker is delivered again.
    await ends(lane, later, "CREATE_COMPLETE", REPAIR_MS_MAX);
    const renewed = await metadataUrl(lane, later);
    notEqual(kidOf(renewed), kidOf(url));
    equal(await statusOf(renewed), 200);
    await remove(lane, later);
    await remove(lane, stack);
  },
};

const kidOf = (url: string): string | null => new URL(url).searchParams.get("kid");

/** An agent that got its URL before function URLs existed polls at the API. */
export const moving: Story = {
  name: "an agent with a URL at the API is served there, and its document leads it to the function's URL",
  needs: ["function URLs"],
  play: async (lane) => {
    const stack = await create(lane, "moving", TEMPLATE);
    const current = await metadataUrl(lane, stack);
    const { pathname, search } = new URL(current);
    const route = pathname.slice(pathname.indexOf("/v1/"));
    const old = `${lane.url}${route}${search}`;
    notEqual(old, current);
    for (const url of [old, current]) {
      const answer = await fetch(url);
      equal(answer.status, 200);
      const document = ownUrl.parse(await answer.json());
      const next = document["os-collect-config"].request.metadata_url;
      equal(next.startsWith(`${current}&applied=`), true, `${url} leads to another URL`);
      equal((await fetch(url.replace(/sig=./, "sig=!"))).status, 403);
      equal((await fetch(url, { method: "DELETE" })).status, 405);
      equal((await fetch(url, { method: "HEAD" })).status, 200);
    }
    const beside = current.replace("/v1/agent/metadata/", "/v1/demo/stacks/");
    equal((await fetch(beside)).status, 404);
    await remove(lane, stack);
  },
};
