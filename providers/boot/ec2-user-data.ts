/** The user data of an EC2 instance: the user's part and Hearth's, which starts the agent. */
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { type MimePart, mimeMessage } from "#lib/resources/mime/mime-message.ts";
import type { Boot, BootUserData } from "../ec2/types/plan-server.ts";
import { bootstrapScript, USER_DATA_BYTES_MAX } from "./bootstrap-script.ts";

type AgentProgram = () => Promise<string>;

const CFN_INIT_DATA = "/var/lib/heat-cfntools/cfn-init-data";
const SHEBANG = "#!/bin/sh\n";

const encoded = (text: string): string => Buffer.from(text).toString("base64");

const writeInitData = (text: string): string => `mkdir -p /var/lib/heat-cfntools
(umask 077; echo ${encoded(text)} | base64 -d > ${CFN_INIT_DATA})
`;

/** An image of OpenStack has its own agent, which reads the cfn-init data. */
const STOCK_AGENT = "command -v os-collect-config >/dev/null && exit 0\n";

const ownScript = async (boot: Boot, agentProgram: AgentProgram): Promise<string | null> => {
  const { stack, server, metadataUrl, cfnInitData } = boot;
  const initData = cfnInitData === null || cfnInitData === "{}" ? "" : writeInitData(cfnInitData);
  if (metadataUrl === null) return initData === "" ? null : SHEBANG + initData;
  const agent = { hearth: await agentProgram() };
  const given = { stack, server, metadataUrl, agent, privileged: true };
  const script = bootstrapScript({ ...given, authority: null });
  return SHEBANG + initData + STOCK_AGENT + script.slice(SHEBANG.length);
};

/** cloud-init recognizes a part by its MIME type, and user data by its first line. */
const SUBTYPES: readonly (readonly [beginning: RegExp, subtype: string])[] = [
  [/^#!/, "x-shellscript"],
  [/^#cloud-config/, "cloud-config"],
  [/^#cloud-boothook/, "cloud-boothook"],
  [/^#include/, "x-include-url"],
  [/^#part-handler/, "part-handler"],
];

const usersPart = (text: string): MimePart => ({
  text,
  subtype: SUBTYPES.find(([beginning]) => beginning.test(text))?.[1] ?? "plain",
  filename: "user-data",
});

/** Derived from the text, because EC2 compares the calls that have the same token. */
const boundaryOf =
  (text: string) =>
  (attempt: number): string =>
    `hearth-${createHash("sha256").update(`${attempt}\n${text}`).digest("hex").slice(0, 32)}`;

const whole = async (boot: Boot, agentProgram: AgentProgram): Promise<string> => {
  const own = await ownScript(boot, agentProgram);
  if (own === null) return boot.userData;
  if (boot.userData === "") return own;
  const parts = [
    { text: own, subtype: "x-shellscript", filename: "hearth" },
    usersPart(boot.userData),
  ];
  return mimeMessage(parts, boundaryOf(boot.userData));
};

/** `agentProgram` is called only for a server with an agent. */
export const userDataWith =
  (agentProgram: AgentProgram): BootUserData =>
  async (boot) => {
    const bytes = Buffer.from(await whole(boot, agentProgram));
    return bytes.byteLength <= USER_DATA_BYTES_MAX ? bytes : gzipSync(bytes, { level: 9 });
  };
