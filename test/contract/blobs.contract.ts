import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Blobs } from "#lib/ports/ports.ts";
import { eachTest, type Open } from "./opened.ts";

export const blobsContract = (name: string, open: Open<Blobs>): void => {
  describe(name, () => {
    const blobs = eachTest(open);

    it("keeps the first text of a key", async () => {
      const key = `templates/${randomUUID()}`;
      expect(await blobs().get(key)).toBeNull();
      expect(await blobs().put(key, "first")).toBe("stored");
      expect(await blobs().put(key, "second")).toBe("exists");
      expect(await blobs().get(key)).toBe("first");
    });

    it("returns every character, and the empty text", async () => {
      const text = "naïve \u{1f525} \r\n\t \" ' \\ \u2028 end";
      const [key, empty] = [randomUUID(), randomUUID()];
      await blobs().put(key, text);
      await blobs().put(empty, "");
      expect(await blobs().get(key)).toBe(text);
      expect(await blobs().get(empty)).toBe("");
    });

    it("lists the keys that start with a prefix, in order", async () => {
      const id = randomUUID();
      expect(await blobs().list(`${id}/`)).toEqual([]);
      const keys = [`${id}/b`, `${id}/a`, `${id}/a/1`, `${id}x/a`, `x/${id}/a`];
      for (const key of keys) await blobs().put(key, "text");
      const found = [`${id}/a`, `${id}/a/1`, `${id}/b`];
      expect(await blobs().list(`${id}/`)).toEqual(found);
      for (const key of found) await blobs().delete(key);
      expect(await blobs().list(`${id}/`)).toEqual([]);
    });

    it("deletes a text, and then takes another for its key", async () => {
      const key = randomUUID();
      await blobs().delete(key);
      await blobs().put(key, "first");
      await blobs().delete(key);
      expect(await blobs().get(key)).toBeNull();
      expect(await blobs().put(key, "second")).toBe("stored");
    });
  });
};
