import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { neutronAddressScope } from "./address-scope.ts";
import { neutronExtraRoute } from "./extra-route.ts";
import { neutronExtraRouteSet } from "./extra-route-set.ts";
import { neutronFirewall } from "./firewall.ts";
import { neutronFirewallPolicy } from "./firewall-policy.ts";
import { neutronFirewallRule } from "./firewall-rule.ts";
import { neutronFloatingIp } from "./floating-ip.ts";
import { neutronFloatingIpAssociation } from "./floating-ip-association.ts";
import { neutronFloatingIpPortForward } from "./floating-ip-port-forward.ts";
import { neutronFlowClassifier } from "./flow-classifier.ts";
import { neutronIkePolicy } from "./ike-policy.ts";
import { neutronIpsecPolicy } from "./ipsec-policy.ts";
import { neutronIpsecSiteConnection } from "./ipsec-site-connection.ts";
import { neutronL2Gateway } from "./l2-gateway.ts";
import { neutronL2GatewayConnection } from "./l2-gateway-connection.ts";
import { neutronMeteringLabel } from "./metering-label.ts";
import { neutronMeteringRule } from "./metering-rule.ts";
import { neutronNet } from "./net.ts";
import { neutronNetworkGateway } from "./network-gateway.ts";
import { neutronPort } from "./port.ts";
import { neutronPortChain } from "./port-chain.ts";
import { neutronPortPair } from "./port-pair.ts";
import { neutronPortPairGroup } from "./port-pair-group.ts";
import { neutronProviderNet } from "./provider-net.ts";
import { neutronQosBandwidthLimitRule } from "./qos-bandwidth-limit-rule.ts";
import { neutronQosDscpMarkingRule } from "./qos-dscp-marking-rule.ts";
import { neutronQosMinimumBandwidthRule } from "./qos-minimum-bandwidth-rule.ts";
import { neutronQosMinimumPacketRateRule } from "./qos-minimum-packet-rate-rule.ts";
import { neutronQosPolicy } from "./qos-policy.ts";
import { neutronQuota } from "./quota.ts";
import { neutronRbacPolicy } from "./rbac-policy.ts";
import { neutronRouter } from "./router.ts";
import { neutronRouterGateway } from "./router-gateway.ts";
import { neutronRouterInterface } from "./router-interface.ts";
import { neutronSecurityGroup } from "./security-group.ts";
import { neutronSecurityGroupRule } from "./security-group-rule.ts";
import { neutronSegment } from "./segment.ts";
import { neutronSubnet } from "./subnet.ts";
import { neutronSubnetPool } from "./subnet-pool.ts";
import { neutronTaasTapFlow } from "./taas-tap-flow.ts";
import { neutronTaasTapService } from "./taas-tap-service.ts";
import { neutronTrunk } from "./trunk.ts";
import { neutronVpnService } from "./vpn-service.ts";

/** Heat shows no name of such an object before there is one. */
const withoutName = ({ schema, ...type }: DeclaredType): DeclaredType => ({
  ...type,
  schema: { ...schema, isNamelessBeforeCreate: true },
});

export const NEUTRON_TYPES: readonly DeclaredType[] = [
  neutronAddressScope,
  neutronExtraRoute,
  neutronExtraRouteSet,
  neutronFirewall,
  neutronFirewallPolicy,
  neutronFirewallRule,
  neutronFloatingIp,
  neutronFloatingIpAssociation,
  neutronFloatingIpPortForward,
  neutronFlowClassifier,
  neutronIkePolicy,
  neutronIpsecPolicy,
  neutronIpsecSiteConnection,
  neutronL2Gateway,
  neutronL2GatewayConnection,
  neutronMeteringLabel,
  neutronMeteringRule,
  neutronNet,
  neutronNetworkGateway,
  neutronPort,
  neutronPortChain,
  neutronPortPair,
  neutronPortPairGroup,
  neutronProviderNet,
  neutronQosBandwidthLimitRule,
  neutronQosDscpMarkingRule,
  neutronQosMinimumBandwidthRule,
  neutronQosMinimumPacketRateRule,
  neutronQosPolicy,
  neutronQuota,
  neutronRbacPolicy,
  neutronRouter,
  neutronRouterGateway,
  neutronRouterInterface,
  neutronSecurityGroup,
  neutronSecurityGroupRule,
  neutronSegment,
  neutronSubnet,
  neutronSubnetPool,
  neutronTaasTapFlow,
  neutronTaasTapService,
  neutronTrunk,
  neutronVpnService,
].map(withoutName);
