import { equal, ok } from "node:assert/strict";
import { z } from "zod";
import { type Key, makeIamUser, OPERATOR, signedHeaders } from "../iam-user.ts";
import { FOREIGN_PROJECT, type Lane, PROJECT, type Story } from "../lane.ts";

const STRANGER = "lane-stranger";
const INVOKE = "arn:aws:execute-api:us-east-1:000000000000:*/*/*/iam/v1";

const Stacks = z.object({
  stacks: z.array(z.object({ links: z.array(z.object({ href: z.string() })) })),
});

const get = async (url: string, key: Key | null): Promise<Response> =>
  fetch(url, { headers: key === null ? {} : await signedHeaders(url, key) });

const statusOf = async (url: string, key: Key | null): Promise<number> => {
  const response = await get(url, key);
  await response.body?.cancel();
  return response.status;
};

const stacksOf = ({ url }: Lane, project: string): string => `${url}/iam/v1/${project}/stacks`;

/**
 * Both users may invoke everything there. The deployment gives one of them a project, and does not
 * know the other.
 */
export const iam: Story = {
  name: "a request signed by an IAM principal reaches only its own project; unsigned, altered and unknown ones reach none",
  needs: ["signatures"],
  play: async (lane) => {
    const operator = await makeIamUser(lane.endpoint, OPERATOR, `${INVOKE}/*`);
    const stranger = await makeIamUser(lane.endpoint, STRANGER, `${INVOKE}/*`);
    try {
      const answer = await get(stacksOf(lane, PROJECT), operator.key);
      equal(answer.status, 200, await answer.clone().text());
      const { stacks } = Stacks.parse(await answer.json());
      for (const { links } of stacks)
        ok(links[0]?.href.startsWith(`${lane.url}/iam/v1/${PROJECT}/`));
      equal(await statusOf(stacksOf(lane, FOREIGN_PROJECT), operator.key), 403);
      equal(await statusOf(stacksOf(lane, PROJECT), stranger.key), 403);
      equal(await statusOf(stacksOf(lane, PROJECT), null), 404);
      const spoiled = { ...operator.key, secretAccessKey: stranger.key.secretAccessKey };
      equal(await statusOf(stacksOf(lane, PROJECT), spoiled), 403);
    } finally {
      await operator.remove();
      await stranger.remove();
    }
  },
};
