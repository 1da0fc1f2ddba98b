import * as z from "zod/mini";
import type { JsonObject } from "#lib/json.ts";
import { plainNumber } from "#lib/json-schema.ts";
import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { reads } from "#lib/resources/cloud/given-values.ts";

const healthCheckSchema = z.optional(z.object({ Interval: plainNumber, Timeout: plainNumber }));

const validate = (given: JsonObject): string | null => {
  reads(given, "SecurityGroups");
  const check = healthCheckSchema.parse(given["HealthCheck"]);
  // Heat sends the text of Python's dictionary.
  return check !== undefined && check.Interval < check.Timeout
    ? "{'Error': 'Interval must be larger than Timeout'}"
    : null;
};

export const awsElbLoadBalancer: DeclaredType = {
  type: "AWS::ElasticLoadBalancing::LoadBalancer",
  schema: {
    description: "A load balancer: a server with HAProxy, in a nested stack of its own.",
    properties: {
      AvailabilityZones: {
        type: "list",
        description: "The availability zones of the load balancer.",
        required: true,
      },
      HealthCheck: {
        type: "map",
        description: "How the health of the servers is checked.",
        schema: {
          HealthyThreshold: {
            type: "integer",
            description: "How many checks in a row a server must pass to count as healthy.",
            required: true,
          },
          Interval: {
            type: "integer",
            description: "The time between two checks of a server, in seconds.",
            required: true,
          },
          Target: {
            type: "string",
            description: "What to check: a protocol and a port, and for HTTP a path.",
            required: true,
          },
          Timeout: {
            type: "integer",
            description: "How long a check waits for an answer, in seconds.",
            required: true,
          },
          UnhealthyThreshold: {
            type: "integer",
            description: "How many checks in a row a server must fail to count as unhealthy.",
            required: true,
          },
        },
      },
      Instances: {
        type: "list",
        description: "The IDs of the servers that share the traffic.",
        updateAllowed: true,
      },
      Listeners: {
        type: "list",
        description: "The ports that take traffic, and the ports it goes to.",
        required: true,
        items: {
          type: "map",
          schema: {
            InstancePort: {
              type: "integer",
              description: "The TCP port of the servers.",
              required: true,
            },
            LoadBalancerPort: {
              type: "integer",
              description: "The port that clients connect to.",
              required: true,
            },
            Protocol: {
              type: "string",
              description: "The protocol of the traffic.",
              required: true,
              constraints: [{ allowedValues: ["TCP", "HTTP"] }],
            },
            SSLCertificateId: {
              type: "string",
              description: "The certificate for encrypted traffic. Not supported.",
              unimplemented: true,
            },
            PolicyNames: {
              type: "list",
              description: "The names of policies for the listener. Not supported.",
              unimplemented: true,
            },
          },
        },
      },
      AppCookieStickinessPolicy: {
        type: "string",
        description: "Binds a client to a server by a cookie of the application. Not supported.",
        unimplemented: true,
      },
      LBCookieStickinessPolicy: {
        type: "string",
        description: "Binds a client to a server by a cookie of the load balancer. Not supported.",
        unimplemented: true,
      },
      SecurityGroups: {
        type: "list",
        description: "The security groups of the load balancer.",
        updateAllowed: true,
      },
      Subnets: {
        type: "list",
        description: "The subnets of the load balancer. Not supported.",
        unimplemented: true,
      },
    },
    attributes: {
      CanonicalHostedZoneName: {
        description: "The DNS zone name of the load balancer. The value is its IP address.",
        type: "string",
      },
      CanonicalHostedZoneNameID: {
        description: "The ID of the DNS zone of the load balancer. Always empty.",
        type: "string",
      },
      DNSName: {
        description: "The DNS name of the load balancer. The value is its IP address.",
        type: "string",
      },
      "SourceSecurityGroup.GroupName": {
        description: "The name of the load balancer's security group. Always empty.",
        type: "string",
      },
      "SourceSecurityGroup.OwnerAlias": {
        description: "The owner of the load balancer's security group. Always empty.",
        type: "string",
      },
    },
    validate,
  },
};
