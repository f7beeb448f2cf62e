/**
 * Addresses of pods and services on the loopback interface, and the names that lead to them.
 * It must never listen on an address that other machines can reach.
 */
export { Hosts } from './hosts.ts';
export { PodAddresses } from './pod-addresses.ts';
export { takePodNetwork, type PodNetwork } from './pod-network.ts';
export { ServiceProxy } from './service-proxy.ts';
export { takenPort } from './taken-port.ts';
