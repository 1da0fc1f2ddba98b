import { createHash } from "node:crypto";
import * as z from "zod";
import { present } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import {
  readSite,
  SOFTWARE_TEMPLATE,
  type SoftwareSite,
  withQuery,
} from "../integration/security/software-site.ts";
import type { SendAs } from "../integration/security/tenant-stacks.ts";
import type { SignedUrls } from "./signed.ts";

const WAIT_MS_MAX = 60_000;
const LOOK_MS = 50;
const TIMEOUT_MINS = 1_000;

const HANDLE: JsonObject = {
  heat_template_version: "2021-04-16",
  resources: { handle: { type: "OS::Heat::WaitConditionHandle" } },
  outputs: { agent: { value: { get_attr: ["handle", "endpoint"] } } },
};

const madeOf = z.object({ stack: z.object({ id: z.string() }) });
const uploadOf = z.object({ upload_url: z.string() });

const until = async <T>(what: string, look: () => Promise<T | null>): Promise<T> => {
  for (const end = Date.now() + WAIT_MS_MAX; Date.now() < end; ) {
    const found = await look();
    if (found !== null) return found;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  throw new Error(`${what} does not come`);
};

const post = (url: string, body: object): Promise<Response> =>
  fetch(url, { method: "POST", body: JSON.stringify(body) });

/** @returns null if uploads bypass the host, as on AWS. */
const uploadUrl = async (signalUrl: string): Promise<string | null> => {
  const content = "{}";
  const answer = await post(withQuery(signalUrl, "upload", "1"), {
    deploy_status: "IN_PROGRESS",
    deploy_upload_bytes: content.length,
    deploy_upload_sha256: createHash("sha256").update(content).digest("base64"),
  });
  const { upload_url: url } = uploadOf.parse(await answer.json());
  return url.includes("/v1/agent/upload/") ? url : null;
};

export const makeSites = async (
  send: SendAs,
  tenant: string,
  secret: string,
  settle: (path: string, status: string) => Promise<void>,
): Promise<Omit<SignedUrls, "own"> & { readonly ids: readonly string[] }> => {
  const create = async (name: string, template: JsonObject, parameters: JsonObject) => {
    const stack_name = `${tenant}-${name}`;
    const body = { stack_name, template, parameters, timeout_mins: TIMEOUT_MINS };
    const made = await send(tenant, "POST", `/v1/${tenant}/stacks`, body);
    const { id } = madeOf.parse(JSON.parse(made.body)).stack;
    const path = `/v1/${tenant}/stacks/${stack_name}/${id}`;
    const url = await until(`the URL of ${stack_name}`, async () => {
      const { body: shown } = await send(tenant, "GET", path);
      return /https?:[^"\s]+\/v1\/agent\/(?:metadata|signal)\/[^"\s]+/.exec(shown)?.[0] ?? null;
    });
    return { id, path, url };
  };
  const site = async (name: string): Promise<SoftwareSite & { id: string; path: string }> => {
    const { id, path, url } = await create(name, SOFTWARE_TEMPLATE, { word: secret });
    return { id, path, ...(await until("the deployment", () => readSite(url))) };
  };
  const [waiting, ended] = [await site("waiting"), await site("ended")];
  const handle = await create("handle", HANDLE, {});
  await settle(handle.path, "CREATE_COMPLETE");
  const result = await post(ended.signalUrl, { deploy_status_code: 0, result: secret });
  present(result.ok ? result : null, "the result is taken");
  await settle(ended.path, "CREATE_COMPLETE");
  const upload = await uploadUrl(waiting.signalUrl);
  return {
    living: [
      waiting.metadataUrl,
      waiting.signalUrl,
      ended.metadataUrl,
      handle.url,
      ...(upload === null ? [] : [upload]),
    ],
    spent: [ended.signalUrl],
    ids: [waiting.id, ended.id, handle.id, waiting.serverId, ended.serverId],
  };
};
