/** The one node of a pocket cluster. */
export const NODE_NAME = 'pocket';
