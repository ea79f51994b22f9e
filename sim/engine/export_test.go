package engine

// Pending is the number of events that wait in the queue, stale ones included.
func (e *Engine) Pending() int { return e.events.Len() }
