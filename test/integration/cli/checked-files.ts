/** A host with a plug-in whose objects are files, which a test changes behind the host's back. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freshFolder, removeFolder } from "../../contract/folders.ts";
import { startServe } from "../host/serve-process.ts";

/** A `Checked::Fixed` cannot be changed in place. */
type CheckedType = "Checked::File" | "Checked::Fixed";

const PLUGIN = `import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
const write = ({ properties: { path, content } }) => {
  writeFileSync(path, content);
  return { state: "finished", physicalId: path };
};
const type = {
  description: "A text file that a check reads.",
  properties: {
    path: { type: "string", required: true },
    content: { type: "string", default: "", updateAllowed: true },
  },
  tokens: "kept",
  create: write,
  update: (call) => {
    if (existsSync(call.physicalId + ".stuck")) return { state: "finished" };
    return existsSync(call.physicalId) ? write(call) : { state: "gone" };
  },
  delete: ({ physicalId }) => {
    rmSync(physicalId, { force: true });
    return { state: "finished" };
  },
  check: ({ physicalId, properties }) => {
    try {
      const found = readFileSync(physicalId, "utf8");
      if (found === properties.content) return { state: "finished" };
      return { state: "failed", reason: "content: it is " + JSON.stringify(found), health: "differs" };
    } catch {
      return { state: "gone" };
    }
  },
};
const { update, ...others } = type;
const properties = { ...type.properties, content: { type: "string", default: "" } };
const fixed = { ...others, properties };
export default {
  provider: 1,
  name: "checked-files",
  types: { "Checked::File": type, "Checked::Fixed": fixed },
};
`;

export const startCheckedFiles = async () => {
  const folder = freshFolder();
  mkdirSync(join(folder, "files"));
  const plugin = join(folder, "checked-files.mjs");
  writeFileSync(plugin, PLUGIN);
  const host = await startServe("--memory", "--plugin", plugin);
  const at = (name: string): string => join(folder, "files", name);
  return {
    folder,
    url: host.url,
    at,
    file: (name: string, type: CheckedType = "Checked::File") => ({
      type,
      properties: { path: at(name), content: "ours" },
    }),
    stop: async () => {
      await host.stop("SIGKILL");
      removeFolder(folder);
    },
  };
};

export type CheckedFiles = Awaited<ReturnType<typeof startCheckedFiles>>;
