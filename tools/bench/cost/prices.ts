/**
 * Prices of us-east-1 in dollars: on-demand DynamoDB, standard SQS, Lambda on arm64, S3, REST API
 * of API Gateway, Standard workflows, CloudWatch Logs. No free tier. Lambda reads streams free of
 * charge.
 */

const MILLION = 1_000_000;

export const PRICES = {
  writeUnit: 0.625 / MILLION,
  readUnit: 0.125 / MILLION,
  sqsRequest: 0.4 / MILLION,
  invocation: 0.2 / MILLION,
  lambdaGbSecond: 0.0000133334,
  /** To the internet, beyond the first 100 GB of an account. */
  egressByte: 0.09 / 1_000_000_000,
  storedGigabyteMonth: 0.25,
  s3Put: 5 / MILLION,
  s3Get: 0.4 / MILLION,
  stateTransition: 25 / MILLION,
  apiRequest: 3.5 / MILLION,
  kmsCall: 3 / MILLION,
  loggedByte: 0.5 / 1_000_000_000,
} as const;

/** Assumed medians for one request in milliseconds; they are not measured. */
export const LATENCY_MS = {
  write: 4,
  read: 3,
  send: 6,
  queue: 16,
  work: 2,
} as const;

/**
 * Assumed times of the two functions that a user's request runs, in milliseconds. The second one
 * stores a template and a stack.
 */
export const REQUEST_MS = { authorizer: 5, api: 100 } as const;

/** Measured on the functions' log lines, including CloudWatch's 26 bytes per line. */
export const LOG_BYTES = {
  message: 740,
  invocation: 900,
  access: 450,
  execution: 8 * 450,
} as const;

/** As in AWS's own example: the start, the one state, the end. */
export const TRANSITIONS_PER_EXECUTION = 3;
