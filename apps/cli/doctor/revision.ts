import * as z from "zod";
import type { Asked } from "./ask.ts";
import { answersOf, type Finding } from "./finding.ts";

const buildInfoSchema = z.object({ engine: z.object({ revision: z.string().min(1) }) });

/** Operators choose the name of a revision, so any name is right. */
export const tellRevision = (asked: Asked): Finding => {
  const { ok, unchecked } = answersOf("revision");
  const body = asked.kind === "answered" && asked.status === 200 ? asked.body : null;
  const { data } = buildInfoSchema.safeParse(body);
  return data ? ok(`${data.engine.revision} runs there`) : unchecked("build_info names none");
};
