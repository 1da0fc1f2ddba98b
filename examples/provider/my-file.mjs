// A provider of one type: a text file on the machine where Hearth runs.
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

const orGone = async (work) => {
  try {
    return await work();
  } catch (error) {
    if (error.code === "ENOENT") return { state: "gone" };
    throw error;
  }
};

const write = async (path, content) => {
  await writeFile(path, content);
  return { state: "finished", physicalId: path, attributes: { size: content.length } };
};

/** @type {import("@hearth/provider").Provider} */
export default {
  provider: 1,
  name: "my-files",
  types: {
    "My::File": {
      description: "A text file.",
      properties: {
        path: { type: "string", required: true, constraints: [{ allowedPattern: "/.+" }] },
        content: { type: "string", default: "", updateAllowed: true },
      },
      attributes: { size: { type: "integer", description: "Its length in characters." } },
      tokens: "kept", // The path names the object, so a second call makes no second one.
      create: ({ properties }) => write(properties.path, properties.content),
      update: ({ physicalId, properties }) =>
        orGone(async () => {
          await readFile(physicalId);
          return write(physicalId, properties.content);
        }),
      delete: async ({ physicalId }) => {
        await rm(physicalId, { force: true });
        return { state: "finished" };
      },
      check: ({ physicalId }) =>
        orGone(async () => {
          const { length } = await readFile(physicalId, "utf8");
          return { state: "finished", attributes: { size: length } };
        }),
      list: async ({ path }) =>
        (await readdir(dirname(path))).map((name) => join(dirname(path), name)),
    },
  },
};
