import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import * as z from "zod";

export interface FakeSecrets {
  readonly url: string;
  readonly texts: readonly string[];
  close(): void;
}

const Get = z.object({ VersionStage: z.string() });
const Put = z.object({ SecretString: z.string() });

export const startFakeSecrets = async (): Promise<FakeSecrets> => {
  const texts = ["before", "first"];
  const server = createServer(async (request, response) => {
    const body: unknown = JSON.parse(await text(request));
    if (request.headers["x-amz-target"] === "secretsmanager.PutSecretValue") {
      texts.push(Put.parse(body).SecretString);
    }
    const stage = Get.safeParse(body).data?.VersionStage;
    const at = texts.length - (stage === "AWSPREVIOUS" ? 2 : 1);
    const none = { __type: "ResourceNotFoundException" };
    response.statusCode = at < 0 ? 400 : 200;
    response.setHeader("Content-Type", "application/x-amz-json-1.1");
    response.end(JSON.stringify(at < 0 ? none : { VersionId: `v${at}`, SecretString: texts[at] }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return { url: `http://127.0.0.1:${port}`, texts, close: () => server.close() };
};
