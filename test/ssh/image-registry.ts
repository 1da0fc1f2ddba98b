/**
 * A registry of one image, made of the files that `podman save --format oci-dir` writes. The image
 * has every name and every tag. As a program it gets the folder and the port as arguments.
 */
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { z } from "zod";

const Index = z.object({
  manifests: z.tuple([z.object({ digest: z.string(), mediaType: z.string() })]),
});
const PLACE = /^\/v2\/[a-z0-9/-]+\/(manifests|blobs)\/([\w.:-]+)$/;

const [, , folder = "", port = ""] = process.argv;
const [{ digest, mediaType }] = Index.parse(
  JSON.parse(readFileSync(join(folder, "index.json"), "utf8")),
).manifests;

const server = createServer(({ url = "", method }, response) => {
  if (url === "/v2/") return response.writeHead(200).end("{}");
  const [, kind, name = ""] = PLACE.exec(url) ?? [];
  const wanted = kind === "manifests" && !name.startsWith("sha256:") ? digest : name;
  const file = join(folder, "blobs", wanted.replace(":", "/"));
  if (kind === undefined || !existsSync(file)) return response.writeHead(404).end();
  const bytes = readFileSync(file);
  response.writeHead(200, {
    "content-type": kind === "manifests" ? mediaType : "application/octet-stream",
    "content-length": bytes.length,
    "docker-content-digest": wanted,
  });
  return response.end(method === "HEAD" ? undefined : bytes);
});
server.listen(Number(port), "127.0.0.1", () => console.log("ready"));
