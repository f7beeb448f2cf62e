/** The API group of Kanister. */
export const KANISTER = { group: 'cr.kanister.io', version: 'v1alpha1' } as const;
