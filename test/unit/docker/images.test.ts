/** The name of an image comes from a template and becomes a part of a path of the engine's API. */
import { expect, it } from "vitest";
import { imagesOf } from "#providers/docker/engine/images.ts";

const askedFor = async (name: string) => {
  const asked: string[] = [];
  const images = imagesOf({
    ask: async ({ path }) => {
      asked.push(path);
      return { status: 200, text: '{"Id":"sha256:1"}' };
    },
  });
  const { state } = await images.ensure(name);
  return { asked, state };
};

it.each([
  ["debian", "/images/debian/json"],
  ["registry.example:5000/a/b:1", "/images/registry.example:5000/a/b:1/json"],
  ["a@sha256:00ff", "/images/a@sha256:00ff/json"],
  ["get?names=private-image&x=", "/images/get%3Fnames%3Dprivate-image%26x%3D/json"],
  ["a#b", "/images/a%23b/json"],
  ["..%2Fcontainers", "/images/..%252Fcontainers/json"],
])("looks for the image %s and for nothing else", async (name, path) => {
  expect(await askedFor(name)).toEqual({ asked: [path], state: "present" });
});

it.each(["../containers/abc/archive", "a/../b", "./a", "/a", "a//b"])(
  "asks nothing for %s, which is no name",
  async (name) => {
    expect(await askedFor(name)).toEqual({ asked: [], state: "failed" });
  },
);
