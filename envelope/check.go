package envelope

func (w *protocol) check(p *problems)      {}
func (w *protocol) result() *Result        { return nil }
func (w *foxctl) check(p *problems)        {}
func (w *foxctl) result() *Result          { return nil }
func (w *helper) check(p *problems)        {}
func (w *helper) result() *Result          { return nil }
func (w *delegator) check(p *problems)     {}
func (w *delegator) result() *Result       { return nil }
func (w *toolEnvelope) check(p *problems)  {}
func (w *toolEnvelope) result() *Result    { return nil }
func (w *agentResponse) check(p *problems) {}
func (w *agentResponse) result() *Result   { return nil }
