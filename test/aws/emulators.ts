export type Need =
  /** The lane can kill the workers of a function at any moment. */
  | "workers"
  /** The lane can repeat and lose messages between functions and emulator. */
  | "wire"
  | "signatures"
  /** The gateway sends answers as bytes. */
  | "bytes"
  | "function URLs"
  | "loopback"
  | "EC2"
  | "Go"
  | "Chromium";

export type Lacks = Readonly<Partial<Record<Need, string>>>;

export interface EmulatorKind {
  readonly name: "LocalStack" | "MiniStack";
  readonly apiPath: string;
  /** The path of a function URL, with `{id}` in it. Null if agents here cannot resolve its name. */
  readonly agentPath: string | null;
  /** How functions are released, since only some emulators can move an alias. */
  readonly rollout: "at-once" | "in-place";
  readonly authorizer: "function" | "gateway";
  readonly lacks: Lacks;
}

export const MINISTACK: EmulatorKind = {
  name: "MiniStack",
  apiPath: "/restapis/{api}/{stage}/_user_request_",
  agentPath: "/_aws/lambda-url/{id}",
  rollout: "at-once",
  authorizer: "gateway",
  lacks: { EC2: "servers have only been played on the EC2 of LocalStack" },
};

const RUNNING_MINISTACK: EmulatorKind = {
  ...MINISTACK,
  lacks: {
    ...MINISTACK.lacks,
    workers: "this MiniStack was started elsewhere, so its functions' workers are out of reach",
    wire: "this MiniStack was started elsewhere, so nothing can stand between it and its functions",
    signatures: "whether this MiniStack checks signatures is not known",
  },
};

const LOCALSTACK: EmulatorKind = {
  name: "LocalStack",
  apiPath: "/_aws/execute-api/{api}/{stage}",
  agentPath: null,
  rollout: "in-place",
  authorizer: "function",
  lacks: {
    workers: "LocalStack keeps its functions' workers to itself, so none can be killed",
    wire: "LocalStack gives its functions its own address, so nothing can stand in between",
    signatures: "LocalStack's gateway checks no signatures of IAM principals",
    loopback: "LocalStack's functions have a loopback interface of their own",
    bytes: "LocalStack matches no type with */*, so a compressed answer stays base64",
    "function URLs": "LocalStack's function URLs have names that this machine cannot resolve",
  },
};

/**
 * An emulator that was started elsewhere may run its functions as processes of this machine. Then
 * the lane can kill them, and they share its loopback interface.
 */
export const lacksInSight = ({ workers, loopback, ...others }: Lacks): Lacks => others;

interface Needing {
  readonly needs?: readonly Need[];
  readonly isLong?: true;
  readonly isLast?: true;
}

export const isForShortLocalStack = ({ needs, isLong, isLast }: Needing): boolean => {
  const lacks = lacksInSight(LOCALSTACK.lacks);
  return !isLong && !isLast && (needs ?? []).every((need) => lacks[need] === undefined);
};

const isThere = async (url: string): Promise<boolean> =>
  fetch(url).then(
    async (answer) => {
      await answer.body?.cancel();
      return answer.ok;
    },
    () => false,
  );

export const emulatorAt = async (endpoint: string): Promise<EmulatorKind> => {
  if (await isThere(`${endpoint}/_localstack/health`)) return LOCALSTACK;
  if (await isThere(`${endpoint}/_ministack/health`)) return RUNNING_MINISTACK;
  throw new Error(`neither LocalStack nor MiniStack answers at ${endpoint}`);
};
