// Which dialog is open over a recommendation.
export type Open = 'approve' | 'reject' | 'defer' | 'target' | 'abort' | 'rollback' | 'evidence';
