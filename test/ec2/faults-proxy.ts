/**
 * A proxy before moto that keeps promises of EC2 which moto breaks: a repeated ClientToken gets the
 * same answer, and is refused with other parameters. It also hides new objects for some reads, and
 * spoils calls.
 */
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Promises } from "./ec2-promises.ts";

/** "throttled" and "dropped" calls have no effect. Of a "lost" call only the answer is missing. */
export const FAULTS = ["throttled", "dropped", "lost", "twice"] as const;
export type Fault = (typeof FAULTS)[number];

export interface ProxyOptions {
  fault: (call: number) => Fault | null;
  hidden: number;
}

export interface FaultsProxy {
  readonly url: string;
  readonly options: ProxyOptions;
  readonly seen: {
    calls: number;
    readonly actions: string[];
    readonly faults: Map<Fault, number>;
    hiddenLooks: number;
    repeatedTokens: number;
    readonly sessions: { readonly role: string; readonly externalId: string }[];
  };
  stop(): Promise<void>;
}

interface Passed {
  readonly status: number;
  readonly body: string;
}

const pass = (target: string, { method, url = "/", headers }: IncomingMessage, body: string) =>
  new Promise<Passed>((resolve, reject) => {
    const { connection: _, ...own } = headers;
    const forwarded = request(target + url, { method, headers: own, agent: false }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("end", () =>
        resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(chunks).toString() }),
      );
    });
    forwarded.on("error", reject);
    forwarded.end(body);
  });

const refusal = (status: number, code: string, message = code): Passed => ({
  status,
  body: `<Response><Errors><Error><Code>${code}</Code><Message>${message}</Message></Error></Errors><RequestID>x</RequestID></Response>`,
});

const KINDS: readonly (readonly [action: string, id: RegExp, code: string])[] = [
  ["RunInstances", /<instanceId>(i-[^<]+)</, "InvalidInstanceID.NotFound"],
  ["CreateSecurityGroup", /<groupId>(sg-[^<]+)</, "InvalidGroup.NotFound"],
  ["ImportKeyPair", /<keyName>([^<]+)</, "InvalidKeyPair.NotFound"],
  ["CreateVolume", /<volumeId>(vol-[^<]+)</, "InvalidVolume.NotFound"],
  ["CreateRouteTable", /<routeTableId>(rtb-[^<]+)</, "InvalidRouteTableID.NotFound"],
  ["CreateSubnet", /<subnetId>(subnet-[^<]+)</, "InvalidSubnetID.NotFound"],
  [
    "CreateNetworkInterface",
    /<networkInterfaceId>(eni-[^<]+)</,
    "InvalidNetworkInterfaceID.NotFound",
  ],
  ["AllocateAddress", /<allocationId>(eipalloc-[^<]+)</, "InvalidAllocationID.NotFound"],
];

const emptyAnswer = (action: string): Passed => ({
  status: 200,
  body: `<${action}Response xmlns="http://ec2.amazonaws.com/doc/2016-11-15/"><requestId>x</requestId></${action}Response>`,
});

/** moto creates instances of unknown images, so the proxy refuses this one. */
export const NO_IMAGE = "ami-00000000";

interface Hidden {
  looks: number;
  readonly code: string;
}

const bodyOf = async (incoming: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
};

const ec2Before = (
  target: string,
  promises: Promises,
  { options, seen }: Pick<FaultsProxy, "options" | "seen">,
) => {
  const kept = new Map<string, { readonly content: string; readonly answer: Promise<Passed> }>();
  const hidden = new Map<string, Hidden>();

  const act = async (incoming: IncomingMessage, body: string): Promise<Passed> => {
    const fields = new URLSearchParams(body);
    const action = fields.get("Action") ?? "";
    const refused = await promises.refuse(action, fields);
    if (refused !== null) return refusal(400, refused.code, refused.message);
    if (await promises.isDone(action, fields)) return emptyAnswer(action);
    const answer = await pass(target, incoming, body);
    if (answer.status === 200) await promises.follow(action, fields);
    return answer;
  };
  const noteNew = (action: string, { status, body }: Passed): void => {
    const kind = KINDS.find(([name]) => name === action);
    const id = kind?.[1].exec(body)?.[1];
    if (status === 200 && kind && id) hidden.set(id, { looks: options.hidden, code: kind[2] });
  };
  const withToken = (incoming: IncomingMessage, fields: URLSearchParams, body: string) => {
    const key = `${fields.get("Action")}/${fields.get("ClientToken")}`;
    fields.delete("ClientToken");
    const content = fields.toString();
    const known = kept.get(key);
    if (known === undefined) {
      const answer = act(incoming, body);
      kept.set(key, { content, answer });
      return answer;
    }
    seen.repeatedTokens += 1;
    return known.content === content ? known.answer : refusal(400, "IdempotentParameterMismatch");
  };
  const hiddenIn = (text: string): Hidden | null => {
    const [found] = [...hidden].filter(([id, { looks }]) => looks > 0 && text.includes(id));
    if (found === undefined) return null;
    found[1].looks -= 1;
    seen.hiddenLooks += 1;
    return found[1];
  };
  const look = async (incoming: IncomingMessage, action: string, body: string): Promise<Passed> => {
    const named = [...new URLSearchParams(body)]
      .filter(([field]) => /^(\w+Ids?|KeyName)\.\d+$/.test(field))
      .map(([, value]) => value);
    const asked = hiddenIn(named.join(" "));
    if (asked !== null) return refusal(400, asked.code);
    const answer = await pass(target, incoming, body);
    return hiddenIn(answer.body) === null ? answer : emptyAnswer(action);
  };

  return async (incoming: IncomingMessage, body: string): Promise<Passed> => {
    const fields = new URLSearchParams(body);
    const action = fields.get("Action") ?? "";
    if (action.startsWith("Describe")) return look(incoming, action, body);
    if (fields.get("ImageId") === NO_IMAGE) return refusal(400, "InvalidAMIID.NotFound");
    const answer = await (fields.has("ClientToken")
      ? withToken(incoming, fields, body)
      : act(incoming, body));
    noteNew(action, answer);
    return answer;
  };
};

export const startFaultsProxy = async (
  target: string,
  promises: Promises,
): Promise<FaultsProxy> => {
  const options: ProxyOptions = { fault: () => null, hidden: 0 };
  const seen: FaultsProxy["seen"] = {
    calls: 0,
    actions: [],
    faults: new Map(),
    hiddenLooks: 0,
    repeatedTokens: 0,
    sessions: [],
  };
  const ec2 = ec2Before(target, promises, { options, seen });

  const answerTo = async (incoming: IncomingMessage, body: string): Promise<Passed | null> => {
    const fields = new URLSearchParams(body);
    if (fields.get("Action") === "AssumeRole") {
      const [role, externalId] = ["RoleArn", "ExternalId"].map((name) => fields.get(name) ?? "");
      seen.sessions.push({ role: role ?? "", externalId: externalId ?? "" });
      return pass(target, incoming, body);
    }
    const fault = options.fault(seen.calls);
    seen.calls += 1;
    seen.actions.push(fields.get("Action") ?? "");
    if (fault !== null) seen.faults.set(fault, (seen.faults.get(fault) ?? 0) + 1);
    if (fault === "throttled") return refusal(503, "RequestLimitExceeded");
    if (fault === "dropped") return null;
    if (fault === "twice") await ec2(incoming, body);
    const answer = await ec2(incoming, body);
    return fault === "lost" ? null : answer;
  };

  const server = createServer(async (incoming: IncomingMessage, response: ServerResponse) => {
    const answer = await answerTo(incoming, await bodyOf(incoming)).catch(() => null);
    if (answer === null) return void response.destroy();
    response.writeHead(answer.status, { "content-type": "text/xml", connection: "close" });
    response.end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = addressOf(server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    options,
    seen,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

const addressOf = (address: AddressInfo | string | null): AddressInfo => {
  if (address === null || typeof address === "string") throw new Error("no port");
  return address;
};
