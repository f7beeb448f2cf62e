/**
 * On every pod that Headway itself starts; the value is what the pod is for, such as `mover`. Such a pod does real work,
 * so a pocket cluster never simulates it: it runs, or fails with the reason.
 */
export const HEADWAY_POD_LABEL = 'headway.io/pod';

/** The uid of the object that such a pod works for: by it the pod is found where an owner reference cannot reach. */
export const OWNER_UID_LABEL = 'headway.io/owner-uid';
