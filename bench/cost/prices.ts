/**
 * Prices in us-east-1, in dollars: on-demand DynamoDB, standard SQS, Lambda on arm64, S3. No free
 * tier.
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
  s3Put: 5 / MILLION,
  s3Get: 0.4 / MILLION,
} as const;

/** Assumed median milliseconds of one request. They are not measured. */
export const LATENCY_MS = {
  write: 4,
  read: 3,
  send: 6,
  queue: 16,
  work: 2,
} as const;

export const FUNCTION_GB = 0.5;
