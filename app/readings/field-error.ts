/** Explains why one field of a request was rejected. `detail` continues the field's name: `co2` `is missing`. */
export interface FieldError {
  field: string;
  detail: string;
}
