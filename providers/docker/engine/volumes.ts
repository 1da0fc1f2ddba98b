/**
 * Volumes. A second create with the same name answers with the first volume and drops the new
 * labels. So the labels in the answer show whose volume it is.
 */
import * as z from "zod/mini";
import {
  CONFLICT,
  type Engine,
  hasAll,
  isSuccess,
  type Labels,
  labelFilter,
  labelsSchema,
  NOT_FOUND,
  readAnswer,
  refusedBy,
} from "./client.ts";

const IN_USE = CONFLICT;

const volumeSchema = z.object({
  Name: z.string(),
  Labels: labelsSchema,
});

export type Volume = z.infer<typeof volumeSchema>;

const listSchema = z.object({ Volumes: z.nullish(z.array(volumeSchema)) });

const at = (name: string): string => `/volumes/${encodeURIComponent(name)}`;

export const volumesOf = (engine: Engine) => {
  const inspect = async (name: string): Promise<Volume | null> => {
    const answer = await engine.ask({ method: "GET", path: at(name) });
    return answer.status === NOT_FOUND ? null : readAnswer(volumeSchema, answer);
  };
  return {
    inspect,
    create: async (name: string, labels: Labels): Promise<Volume> => {
      const json = { Name: name, Labels: labels };
      const answer = await engine.ask({ method: "POST", path: "/volumes/create", json });
      // Older versions of Podman refuse a second create with 500.
      const known = isSuccess(answer) ? null : await inspect(name);
      return known ?? readAnswer(volumeSchema, answer);
    },
    list: async (wanted: Labels): Promise<readonly Volume[]> => {
      const query = { filters: labelFilter(wanted) };
      const answer = await engine.ask({ method: "GET", path: "/volumes", query });
      const found = readAnswer(listSchema, answer).Volumes ?? [];
      return found.filter(({ Labels: labels }) => hasAll(labels, wanted));
    },
    /** Returns false while a container uses the volume. */
    remove: async (name: string): Promise<boolean> => {
      const answer = await engine.ask({ method: "DELETE", path: at(name) });
      if (isSuccess(answer) || answer.status === NOT_FOUND) return true;
      if (answer.status === IN_USE) return false;
      throw refusedBy(answer);
    },
  };
};

export type Volumes = ReturnType<typeof volumesOf>;
