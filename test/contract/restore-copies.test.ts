/** The copies of a lost second, against doubles of the two rules that the emulators do not have. */
import { createServer, type RequestListener } from "node:http";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { S3Client } from "@aws-sdk/client-s3";
import { afterEach, expect, it } from "vitest";
import * as z from "zod";
import { copiesAt, undelete } from "../../infra/restore/tables.ts";

const AT = new Date("2026-11-29T02:30:00Z");
const OPTIONS = {
  region: "us-east-1",
  credentials: { accessKeyId: "test", secretAccessKey: "test" },
};

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

const serve = async (answer: RequestListener): Promise<string> => {
  const server = createServer(answer);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  closing.push(() => server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
};

const commandShape = z.object({ TargetTableName: z.string(), RestoreDateTime: z.number() });

/** DynamoDB restores a table from a backup only under a name that no table has. */
const copying = (made: Set<string>): RequestListener => {
  return (request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => {
      body += text;
    });
    request.on("end", () => {
      if (/DescribeTable$/.test(String(request.headers["x-amz-target"]))) {
        response.end(JSON.stringify({ Table: { TableStatus: "ACTIVE" } }));
        return;
      }
      const { TargetTableName, RestoreDateTime } = commandShape.parse(JSON.parse(body));
      const isRefused = made.has(TargetTableName) || RestoreDateTime * 1_000 !== AT.getTime();
      made.add(TargetTableName);
      response.writeHead(isRefused ? 400 : 200);
      response.end(JSON.stringify({ __type: "TableAlreadyExistsException" }));
    });
  };
};

it("are made of each table, and a second run takes those of the first", async () => {
  const made = new Set<string>();
  const dynamo = new DynamoDBClient({ ...OPTIONS, endpoint: await serve(copying(made)) });
  const Tables = { resources: "R", softwareConfigs: "C", events: "E", apiTokens: "T", stacks: "S" };
  const stage = { Tables, BlobsBucket: "b", SigningSecretArn: "s", EncryptionSecretArn: "e" };
  const suffix = "-at-2026-11-29T02-30-00-000Z";
  for (const _run of ["first", "second"]) {
    expect(await copiesAt(dynamo, stage, AT)).toEqual(
      Object.fromEntries(Object.entries(Tables).map(([name, of]) => [name, `${of}${suffix}`])),
    );
  }
  expect(made.size).toBe(5);
  dynamo.destroy();
});

const marker = (key: string, latest: boolean, time: string) =>
  `<DeleteMarker><Key>${key}</Key><VersionId>v-${key}</VersionId><IsLatest>${latest}</IsLatest>
  <LastModified>2026-11-29T${time}.000Z</LastModified></DeleteMarker>`;
const VERSIONS = `<ListVersionsResult><IsTruncated>false</IsTruncated>
  ${marker("before", true, "02:29:59")}${marker("since", true, "02:30:00")}
  ${marker("back-already", false, "03:00:00")}</ListVersionsResult>`;

it("have the objects that were deleted since: their delete markers go", async () => {
  const removed: string[] = [];
  const endpoint = await serve((request, response) => {
    if (request.method === "DELETE") removed.push(request.url ?? "");
    response.writeHead(request.method === "DELETE" ? 204 : 200);
    response.end(request.method === "DELETE" ? "" : VERSIONS);
  });
  const s3 = new S3Client({ ...OPTIONS, endpoint, forcePathStyle: true });
  expect(await undelete(s3, "blobs", AT, false)).toBe(1);
  expect(removed).toEqual([]);
  expect(await undelete(s3, "blobs", AT, true)).toBe(1);
  expect(removed).toEqual(["/blobs/since?versionId=v-since&x-id=DeleteObject"]);
  s3.destroy();
});
