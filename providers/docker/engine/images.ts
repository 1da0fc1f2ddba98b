import * as z from "zod/mini";
import { type Engine, isSuccess, messageOf, NOT_FOUND, readAnswer } from "./client.ts";

const NO_LIMIT = 0;

type Pull =
  | { readonly state: "present" | "pulling" }
  | { readonly state: "failed"; readonly why: string };

/** A failed pull has status 200 and reports the failure in its last line. */
const failureIn = (text: string): string | null => {
  const [, why] = /"error":"((?:[^"\\]|\\.)*)"/.exec(text) ?? [];
  return why ?? null;
};

/** Without a tag the engine would pull all tags. */
const withTag = (name: string): string =>
  /[:@]/.test(name.slice(name.lastIndexOf("/") + 1)) ? name : `${name}:latest`;

/** The name comes from a template, and in a path it must not lead to another call. */
const pathOf = (name: string): string | null => {
  const parts = name.split("/");
  if (parts.some((part) => part === "" || part === "." || part === "..")) return null;
  const words = parts.map(encodeURIComponent).join("/");
  return `/images/${words.replaceAll("%3A", ":").replaceAll("%40", "@")}/json`;
};

export const imagesOf = (engine: Engine) => {
  const pulls = new Map<string, { why: string | null; isOver: boolean }>();

  const pull = async (name: string): Promise<string | null> => {
    const query = { fromImage: withTag(name) };
    const call = { method: "POST", path: "/images/create", query, limitMs: NO_LIMIT } as const;
    const answer = await engine.ask(call);
    return isSuccess(answer) ? failureIn(answer.text) : messageOf(answer);
  };

  const begin = (name: string): void => {
    const running: { why: string | null; isOver: boolean } = { why: null, isOver: false };
    pulls.set(name, running);
    void pull(name)
      .catch((error: unknown) => String(error))
      .then((why) => {
        running.why = why;
        running.isOver = true;
      });
  };

  return {
    ensure: async (name: string): Promise<Pull> => {
      const path = pathOf(name);
      if (path === null) return { state: "failed", why: `${name} is not the name of an image` };
      const answer = await engine.ask({ method: "GET", path });
      if (answer.status !== NOT_FOUND) {
        readAnswer(z.object({ Id: z.string() }), answer);
        pulls.delete(name);
        return { state: "present" };
      }
      const running = pulls.get(name);
      if (running === undefined) begin(name);
      if (running === undefined || !running.isOver) return { state: "pulling" };
      pulls.delete(name);
      return { state: "failed", why: running.why ?? "it was pulled, and is not there" };
    },
  };
};

export type Images = ReturnType<typeof imagesOf>;
