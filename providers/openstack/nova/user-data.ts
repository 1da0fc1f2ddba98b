/**
 * The user data for cloud-init. With an agent it contains the server's metadata as a part of its
 * own, which a handler writes where Heat's images expect it (docs/run-on-openstack.md).
 */
import { createHash } from "node:crypto";
import type { BootData } from "../../boot-data.ts";

const FOLDER = "/var/lib/heat-cfntools";
const INIT_DATA = "text/x-cfninitdata";

/** cloud-init runs this for the part with the metadata. Only root may read the file. */
const HANDLER = `#part-handler
import os


def list_types():
    return ["${INIT_DATA}"]


def handle_part(data, content_type, filename, payload):
    if content_type != "${INIT_DATA}":
        return
    os.makedirs("${FOLDER}", mode=0o700, exist_ok=True)
    path = os.path.join("${FOLDER}", os.path.basename(filename))
    content = payload if isinstance(payload, bytes) else payload.encode()
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(content)
`;

const LINE_CHARS = 76;

const inLines = (text: string): string =>
  (text.match(new RegExp(`.{1,${LINE_CHARS}}`, "g")) ?? []).join("\n");

interface Part {
  readonly type: string;
  readonly name: string;
  readonly text: string;
}

const partOf = ({ type, name, text }: Part): string =>
  [
    `Content-Type: ${type}; charset="utf-8"`,
    "MIME-Version: 1.0",
    "Content-Transfer-Encoding: base64",
    `Content-Disposition: attachment; filename="${name}"`,
    "",
    inLines(Buffer.from(text).toString("base64")),
  ].join("\n");

/** OS::Heat::MultipartMime makes such an archive. */
const isArchive = (text: string): boolean =>
  /^(MIME-Version:.*\n)?Content-Type: multipart\//i.test(text);

const ownPart = (userData: string): readonly string[] => {
  if (userData === "") return [];
  if (isArchive(userData)) return [userData];
  return [partOf({ type: "text/plain", name: "user-data", text: userData })];
};

export const userDataOf = ({
  userData,
  cfnInitData,
}: Pick<BootData, "userData" | "cfnInitData">): string => {
  if (cfnInitData === null) return userData;
  const parts = [
    partOf({ type: "text/part-handler", name: "part-handler.py", text: HANDLER }),
    partOf({ type: INIT_DATA, name: "cfn-init-data", text: cfnInitData }),
    ...ownPart(userData),
  ];
  const boundary = createHash("sha256").update(parts.join("")).digest("hex");
  return [
    `Content-Type: multipart/mixed; boundary="${boundary}"`,
    "MIME-Version: 1.0",
    "",
    ...parts.flatMap((part) => [`--${boundary}`, part]),
    `--${boundary}--`,
    "",
  ].join("\n");
};
