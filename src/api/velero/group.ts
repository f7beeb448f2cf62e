/** The API group of Velero. */
export const VELERO = { group: 'velero.io', version: 'v1' } as const;
export const VELERO_V2 = { group: 'velero.io', version: 'v2alpha1' } as const;
