/**
 * Checks an API token, which is valid only on its own project's paths. An unknown token gets 401,
 * another project's token gets 403.
 */
import type { APIGatewayAuthorizerResult, APIGatewayRequestAuthorizerEvent } from "aws-lambda";
import type { Clock, TokenStore } from "#lib/ports/ports.ts";
import { authorize } from "./authorize.ts";

export const handler =
  (tokens: TokenStore, clock: Clock) =>
  (event: APIGatewayRequestAuthorizerEvent): Promise<APIGatewayAuthorizerResult> =>
    authorize(tokens, clock.now(), event);
