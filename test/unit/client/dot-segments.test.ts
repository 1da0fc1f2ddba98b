import { expect, it } from "vitest";
import { z } from "zod";
import { openClient } from "#client/client.ts";

const asked: string[] = [];
const clientOf = (project: string) =>
  openClient({
    endpoint: "http://hearth.test",
    project,
    fetch: async (url) => {
      asked.push(url);
      return Response.json({});
    },
  });
const request = (path: string, project = "demo") =>
  clientOf(project).request("PATCH", path, z.unknown(), {});

it("a request for what is named . or .. is not sent, since a URL would be another one", async () => {
  for (const path of ["/stacks/s/1/resources/..", "/stacks/./1", "/stacks/..?x=1"]) {
    await expect(request(path)).rejects.toThrow("Nothing has the name . or .. here.");
  }
  await expect(request("/stacks", "..")).rejects.toThrow("Nothing has the name");
  expect(asked).toEqual([]);
});

it("a request for an empty name is not sent, since a list would answer", async () => {
  for (const path of ["/stacks/", "/stacks/?x=1", "/stacks//1", "/stacks/s/1/outputs/"]) {
    await expect(request(path)).rejects.toThrow("Nothing has an empty name here.");
  }
  expect(asked).toEqual([]);
});

it("other names with dots are asked for", async () => {
  for (const path of ["/stacks/...", "/stacks/a..b/.c", "/stacks?marker=/../"]) await request(path);
  expect(asked).toHaveLength(3);
});
