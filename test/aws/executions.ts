import {
  DescribeExecutionCommand,
  ExecutionDoesNotExist,
  GetExecutionHistoryCommand,
  type SFNClient,
} from "@aws-sdk/client-sfn";

export interface Execution {
  readonly status: string;
  readonly output: string;
  readonly states: readonly string[];
}

/** @returns null before the stream of the stacks' table has started the execution. */
export const readExecution = async (
  sfn: SFNClient,
  stateMachineArn: string,
  traversalId: string,
): Promise<Execution | null> => {
  const machine = stateMachineArn.replace(":stateMachine:", ":execution:");
  const executionArn = `${machine}:${traversalId}`;
  const found = await sfn
    .send(new DescribeExecutionCommand({ executionArn }))
    .catch((error: unknown) => {
      if (error instanceof ExecutionDoesNotExist) return null;
      throw error;
    });
  if (found === null) return null;
  const { status = "", output = "" } = found;
  const { events = [] } = await sfn.send(
    new GetExecutionHistoryCommand({ executionArn, maxResults: 1_000 }),
  );
  const states = events.flatMap(({ stateEnteredEventDetails: entered }) =>
    entered?.name === undefined ? [] : [entered.name],
  );
  return { status, output, states };
};
