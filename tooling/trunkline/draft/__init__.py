"""The requirements agent: plain words in, a flow file out. It runs at design time only.

A language model plans the steps and fills them in; every list that it may choose from is closed,
and what it answers is compiled like any file that a person wrote. It can change nothing but the
draft: policy and proofs hold for it as for everybody.
"""
