/**
 * The session of a project: a Keystone token for its application credential, and the catalog. Both
 * are kept until the token expires or a service answers 401.
 */
import * as z from "zod/mini";
import {
  type Cloud,
  type CloudAnswer,
  type CloudCall,
  messageOf,
  type Service,
  TryAgain,
  UnknownCaller,
} from "../cloud.ts";
import { type Credential, isPrivate } from "./projects.ts";

/** A call takes a while, so the token is renewed before it expires. */
const RENEW_BEFORE_MS = 60_000;
const UNAUTHORIZED = 401;
const TOO_MANY = 429;
const SERVER_ERROR = 500;

const tokenBody = z.object({
  token: z.object({
    expires_at: z.string(),
    project: z.object({ id: z.string() }),
    catalog: z.array(
      z.object({
        type: z.string(),
        endpoints: z.array(
          z.looseObject({
            interface: z.string(),
            region: z.optional(z.nullable(z.string())),
            url: z.string(),
          }),
        ),
      }),
    ),
  }),
});

type TokenBody = z.infer<typeof tokenBody>["token"];

interface Token {
  readonly value: string;
  readonly expiresAt: number;
  readonly body: TokenBody;
}

const TYPES: Readonly<Record<Service, readonly string[]>> = {
  compute: ["compute"],
  network: ["network"],
  volume: ["block-storage", "volumev3", "block-store"],
  image: ["image"],
};

/** Nova 2.52 accepts tags at a creation. All clouds since Pike (2017) have these versions. */
const VERSIONS: Readonly<Record<Service, Readonly<Record<string, string>>>> = {
  compute: { "openstack-api-version": "compute 2.52", "x-openstack-nova-api-version": "2.52" },
  volume: { "openstack-api-version": "volume 3.27" },
  network: {},
  image: {},
};

const BASES: Readonly<Record<Service, (url: string) => string>> = {
  compute: (url) => url,
  network: (url) => (/\/v2\.0$/.test(url) ? url : `${url}/v2.0`),
  volume: (url) => url,
  image: (url) => (/\/v2$/.test(url) ? url : `${url}/v2`),
};

const endpointOf = (
  { catalog }: TokenBody,
  { region, interface: side, plainHttp }: Credential,
  service: Service,
): string => {
  for (const type of TYPES[service]) {
    const found = catalog
      .filter((one) => one.type === type)
      .flatMap(({ endpoints }) => endpoints)
      .find((one) => one.interface === side && one.region === region);
    if (found === undefined) continue;
    if (!plainHttp && !isPrivate(found.url)) {
      throw new UnknownCaller(0, `the endpoint of ${type} in the catalog is plain HTTP`);
    }
    return BASES[service](found.url.replace(/(?<!\/)\/+$/, ""));
  }
  throw new UnknownCaller(0, `the catalog has no ${side} endpoint of ${service} in ${region}`);
};

const credentialBody = ({ id, secret }: Credential) => ({
  auth: {
    identity: { methods: ["application_credential"], application_credential: { id, secret } },
  },
});

const issue = async (send: Fetch, credential: Credential, signal: AbortSignal): Promise<Token> => {
  const answer = await askOverHttp(send, {
    method: "POST",
    url: `${credential.authUrl}/auth/tokens`,
    headers: {},
    json: credentialBody(credential),
    signal,
  });
  const { status, headers, body } = answer;
  if (status === TOO_MANY || status >= SERVER_ERROR) {
    throw new TryAgain(`Keystone answers ${status}`);
  }
  const value = headers.get("x-subject-token");
  const read = z.safeParse(tokenBody, body);
  if (value === null || !read.success) {
    throw new UnknownCaller(status, `Keystone gives no token: ${messageOf(answer)}`);
  }
  const { token } = read.data;
  return { value, expiresAt: Date.parse(token.expires_at), body: token };
};

const urlOf = (base: string, { path, query = {} }: CloudCall): string => {
  const pairs = new URLSearchParams(query).toString();
  return pairs === "" ? `${base}${path}` : `${base}${path}?${pairs}`;
};

export const openSession = (credential: Credential, send: Fetch = fetch): Cloud => {
  let current: Promise<Token> | null = null;

  /** Concurrent calls share one request. A failed request is forgotten. */
  const fresh = (signal: AbortSignal): Promise<Token> => {
    const issued = issue(send, credential, signal);
    current = issued;
    issued.catch(() => {
      if (current === issued) current = null;
    });
    return issued;
  };
  const tokenFor = async (signal: AbortSignal): Promise<Token> => {
    const known = await (current ?? fresh(signal));
    return known.expiresAt - RENEW_BEFORE_MS > Date.now() ? known : fresh(signal);
  };
  const askWith = async (token: Token, call: CloudCall): Promise<CloudAnswer> => {
    const base = endpointOf(token.body, credential, call.service);
    return askOverHttp(send, {
      method: call.method,
      url: urlOf(base, call),
      headers: { "x-auth-token": token.value, ...VERSIONS[call.service] },
      json: call.json,
      signal: call.signal,
    });
  };
  const renewed = async (old: Token, signal: AbortSignal): Promise<Token> => {
    const known = current === null ? null : await current;
    return known === null || known === old ? fresh(signal) : known;
  };
  return {
    projectId: async (signal) => (await tokenFor(signal)).body.project.id,
    ask: async (call) => {
      const token = await tokenFor(call.signal);
      let answer = await askWith(token, call);
      if (answer.status === UNAUTHORIZED) {
        answer = await askWith(await renewed(token, call.signal), call);
      }
      const { status } = answer;
      if (status === UNAUTHORIZED) throw new UnknownCaller(status, messageOf(answer));
      if (status === TOO_MANY || status >= SERVER_ERROR) {
        throw new TryAgain(`${call.method} ${call.path}: ${messageOf(answer)}`);
      }
      return answer;
    },
  };
};

/** A busy Nova has needed 30 seconds for one request. A provider's call may take longer still. */
const CALL_MS_MAX = 45_000;
const ANSWER_BYTES_MAX = 8_388_608;

export type Fetch = typeof fetch;

interface HttpCall {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly signal: AbortSignal;
}

interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

const wholeText = async (answer: Response, what: string): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.length;
    if (bytes > ANSWER_BYTES_MAX) {
      throw new TryAgain(`${what}: its answer has more than ${ANSWER_BYTES_MAX} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message !== ""
    ? error.cause.message
    : error.message;
};

/** Throws TryAgain if no complete answer arrives. All types refuse a redirect. */
const askOverHttp = async (send: Fetch, call: HttpCall): Promise<HttpAnswer> => {
  const what = `${call.method} ${new URL(call.url).pathname}`;
  const limit = AbortSignal.timeout(CALL_MS_MAX);
  try {
    const answer = await send(call.url, {
      method: call.method,
      redirect: "manual",
      signal: AbortSignal.any([call.signal, limit]),
      headers: {
        accept: "application/json",
        ...call.headers,
        ...(call.json === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(call.json === undefined ? {} : { body: JSON.stringify(call.json) }),
    });
    const text = await wholeText(answer, what);
    return { status: answer.status, headers: answer.headers, body: parsed(text) };
  } catch (error) {
    if (error instanceof TryAgain) throw error;
    throw new TryAgain(`${what}: ${reasonOf(error)}`, { cause: error });
  }
};
