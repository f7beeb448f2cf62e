/** How a strategic merge patch treats one field. */
export interface MergeField {
  /** `merge`, `replace`, `retainKeys`; empty for the default of the value's type. */
  strategies: readonly string[];
  /** The key that identifies the elements of a merged list of objects. */
  mergeKey?: string;
  /** The type of the value, or of the elements of a list or map. */
  type?: MergeType;
}

/** The part of a type that a strategic merge patch needs. Undefined means that the field is unknown. */
export interface MergeType {
  field(name: string): MergeField | undefined;
}
